# Longbox
# SPDX-License-Identifier: MIT
"""A comic's details, explanation and transcript: segments of a panel or of a sheet."""


def show(page, name="Details"):
    """Shows a segment, in the sheet where there is no panel, and returns its content."""
    page.locator(".to-details[role=button]").wait_for(state="attached")
    button = page.get_by_role("button", name="Details", exact=True)
    if button.is_visible() and not page.locator("dialog[open]").count():
        button.click()
    page.get_by_role("tab", name=name, exact=True).click()
    return page.get_by_role("tabpanel", name=name, exact=True)
