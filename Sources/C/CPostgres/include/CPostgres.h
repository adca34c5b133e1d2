// Longbox
// SPDX-License-Identifier: MIT
//
// The part of libpq that Longbox uses, loaded by dlopen(3) when a PostgreSQL database is configured, so that a server
// on SQLite starts without libpq. The functions are those of libpq with another prefix
// (https://www.postgresql.org/docs/15/libpq.html); types, constants and signatures are part of its stable ABI, so its
// headers aren't needed.

#ifndef LONGBOX_POSTGRES_H
#define LONGBOX_POSTGRES_H

#include <stddef.h>

typedef struct pg_conn lbx_pg_connection;
typedef struct pg_result lbx_pg_result;

enum {
  LBX_PG_CONNECTION_OK = 0,
  LBX_PG_CONNECTION_BAD = 1,

  LBX_PG_POLLING_READING = 1,
  LBX_PG_POLLING_WRITING = 2,
  LBX_PG_POLLING_OK = 3,

  LBX_PG_COMMAND_OK = 1,
  LBX_PG_TUPLES_OK = 2,
  LBX_PG_PIPELINE_SYNC = 10,
  LBX_PG_PIPELINE_ABORTED = 11,

  LBX_PG_TRANSACTION_IDLE = 0,
};

/// Loads libpq; later calls return the first one's result.
/// - Returns: NULL, or the reason why it can't be loaded, which stays valid.
const char *lbx_pg_load(void);

/// Begins to connect.
/// - Parameters:
///   - address: a URI or connection string; its settings take precedence over ours.
///   - name: the name of this program in the server's list of connections.
lbx_pg_connection *lbx_pg_connect_start(const char *address, const char *name);
int lbx_pg_connect_poll(lbx_pg_connection *connection);
void lbx_pg_finish(lbx_pg_connection *connection);
int lbx_pg_status(const lbx_pg_connection *connection);
int lbx_pg_transaction_status(const lbx_pg_connection *connection);
char *lbx_pg_error_message(const lbx_pg_connection *connection);
int lbx_pg_socket(const lbx_pg_connection *connection);
int lbx_pg_server_version(const lbx_pg_connection *connection);
int lbx_pg_set_nonblocking(lbx_pg_connection *connection, int is_nonblocking);
/// Drops the server's notices, which libpq would print.
void lbx_pg_ignore_notices(lbx_pg_connection *connection);

int lbx_pg_send_query(lbx_pg_connection *connection, const char *sql);
int lbx_pg_send_query_params(
  lbx_pg_connection *connection, const char *sql, int count, const unsigned int *types, const char *const *values,
  const int *lengths, const int *formats, int result_format);
int lbx_pg_send_prepare(
  lbx_pg_connection *connection, const char *name, const char *sql, int count, const unsigned int *types);
int lbx_pg_send_query_prepared(
  lbx_pg_connection *connection, const char *name, int count, const char *const *values, const int *lengths,
  const int *formats, int result_format);
int lbx_pg_enter_pipeline_mode(lbx_pg_connection *connection);
int lbx_pg_exit_pipeline_mode(lbx_pg_connection *connection);
int lbx_pg_pipeline_sync(lbx_pg_connection *connection);
int lbx_pg_flush(lbx_pg_connection *connection);
int lbx_pg_is_busy(lbx_pg_connection *connection);
int lbx_pg_consume_input(lbx_pg_connection *connection);
lbx_pg_result *lbx_pg_get_result(lbx_pg_connection *connection);
/// Takes and drops the next notification that has been read.
/// - Returns: 1, or 0 if there is none.
int lbx_pg_take_notification(lbx_pg_connection *connection);

void lbx_pg_clear(lbx_pg_result *result);
int lbx_pg_result_status(const lbx_pg_result *result);
char *lbx_pg_result_error_message(const lbx_pg_result *result);
char *lbx_pg_result_error_field(const lbx_pg_result *result, int field);
int lbx_pg_row_count(const lbx_pg_result *result);
unsigned int lbx_pg_column_type(const lbx_pg_result *result, int column);
char *lbx_pg_value(const lbx_pg_result *result, int row, int column);
int lbx_pg_length(const lbx_pg_result *result, int row, int column);
int lbx_pg_is_null(const lbx_pg_result *result, int row, int column);
char *lbx_pg_command_status(lbx_pg_result *result);
char *lbx_pg_changed_rows(lbx_pg_result *result);

#endif
