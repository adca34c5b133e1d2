# Longbox
# SPDX-License-Identifier: MIT
"""The sample box: sixteen comics drawn by code, with their records and explanations."""
