// Longbox
// SPDX-License-Identifier: MIT

#include "CPostgres.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

typedef void notice_processor(void *argument, const char *message);

// Each function: our result type, its name in libpq, our name, parameters, arguments.
#define FUNCTIONS(X) \
  X(int, PQconnectPoll, lbx_pg_connect_poll, (lbx_pg_connection * a), (a)) \
  X(int, PQstatus, lbx_pg_status, (const lbx_pg_connection *a), (a)) \
  X(int, PQtransactionStatus, lbx_pg_transaction_status, (const lbx_pg_connection *a), (a)) \
  X(char *, PQerrorMessage, lbx_pg_error_message, (const lbx_pg_connection *a), (a)) \
  X(int, PQsocket, lbx_pg_socket, (const lbx_pg_connection *a), (a)) \
  X(int, PQserverVersion, lbx_pg_server_version, (const lbx_pg_connection *a), (a)) \
  X(int, PQsetnonblocking, lbx_pg_set_nonblocking, (lbx_pg_connection * a, int b), (a, b)) \
  X(int, PQsendQuery, lbx_pg_send_query, (lbx_pg_connection * a, const char *b), (a, b)) \
  X(int, PQsendQueryParams, lbx_pg_send_query_params, \
    (lbx_pg_connection * a, const char *b, int c, const unsigned int *d, const char *const *e, const int *f, \
     const int *g, int h), \
    (a, b, c, d, e, f, g, h)) \
  X(int, PQsendPrepare, lbx_pg_send_prepare, \
    (lbx_pg_connection * a, const char *b, const char *c, int d, const unsigned int *e), (a, b, c, d, e)) \
  X(int, PQsendQueryPrepared, lbx_pg_send_query_prepared, \
    (lbx_pg_connection * a, const char *b, int c, const char *const *d, const int *e, const int *f, int g), \
    (a, b, c, d, e, f, g)) \
  X(int, PQenterPipelineMode, lbx_pg_enter_pipeline_mode, (lbx_pg_connection * a), (a)) \
  X(int, PQexitPipelineMode, lbx_pg_exit_pipeline_mode, (lbx_pg_connection * a), (a)) \
  X(int, PQpipelineSync, lbx_pg_pipeline_sync, (lbx_pg_connection * a), (a)) \
  X(int, PQflush, lbx_pg_flush, (lbx_pg_connection * a), (a)) \
  X(int, PQisBusy, lbx_pg_is_busy, (lbx_pg_connection * a), (a)) \
  X(int, PQconsumeInput, lbx_pg_consume_input, (lbx_pg_connection * a), (a)) \
  X(lbx_pg_result *, PQgetResult, lbx_pg_get_result, (lbx_pg_connection * a), (a)) \
  X(int, PQresultStatus, lbx_pg_result_status, (const lbx_pg_result *a), (a)) \
  X(char *, PQresultErrorMessage, lbx_pg_result_error_message, (const lbx_pg_result *a), (a)) \
  X(char *, PQresultErrorField, lbx_pg_result_error_field, (const lbx_pg_result *a, int b), (a, b)) \
  X(int, PQntuples, lbx_pg_row_count, (const lbx_pg_result *a), (a)) \
  X(unsigned int, PQftype, lbx_pg_column_type, (const lbx_pg_result *a, int b), (a, b)) \
  X(char *, PQgetvalue, lbx_pg_value, (const lbx_pg_result *a, int b, int c), (a, b, c)) \
  X(int, PQgetlength, lbx_pg_length, (const lbx_pg_result *a, int b, int c), (a, b, c)) \
  X(int, PQgetisnull, lbx_pg_is_null, (const lbx_pg_result *a, int b, int c), (a, b, c)) \
  X(char *, PQcmdStatus, lbx_pg_command_status, (lbx_pg_result * a), (a)) \
  X(char *, PQcmdTuples, lbx_pg_changed_rows, (lbx_pg_result * a), (a))

// The same for functions without a result.
#define PROCEDURES(X) \
  X(PQfinish, lbx_pg_finish, (lbx_pg_connection * a), (a)) \
  X(PQclear, lbx_pg_clear, (lbx_pg_result * a), (a))

#define FUNCTION_POINTER(result, theirs, ours, parameters, arguments) static result(*theirs) parameters;
#define PROCEDURE_POINTER(theirs, ours, parameters, arguments) static void(*theirs) parameters;
FUNCTIONS(FUNCTION_POINTER)
PROCEDURES(PROCEDURE_POINTER)
static notice_processor *(*PQsetNoticeProcessor)(lbx_pg_connection *, notice_processor *, void *);
static void *(*PQnotifies)(lbx_pg_connection *);
static void (*PQfreemem)(void *);
static lbx_pg_connection *(*PQconnectStartParams)(const char *const *, const char *const *, int);

#define FUNCTION(result, theirs, ours, parameters, arguments) \
  result ours parameters { return theirs arguments; }
#define PROCEDURE(theirs, ours, parameters, arguments) \
  void ours parameters { theirs arguments; }
FUNCTIONS(FUNCTION)
PROCEDURES(PROCEDURE)

lbx_pg_connection *lbx_pg_connect_start(const char *address, const char *name) {
  // A later setting replaces an earlier one, so the address takes precedence. Keepalives detect a lost network in seconds.
  const char *const keywords[] = {
    "fallback_application_name", "keepalives_idle", "keepalives_interval", "keepalives_count", "tcp_user_timeout",
    "dbname", NULL};
  const char *const values[] = {name, "5", "2", "3", "5000", address, NULL};
  return PQconnectStartParams(keywords, values, 1);
}

static void ignore(void *argument, const char *message) {
  (void)argument;
  (void)message;
}

void lbx_pg_ignore_notices(lbx_pg_connection *connection) { PQsetNoticeProcessor(connection, ignore, NULL); }

int lbx_pg_take_notification(lbx_pg_connection *connection) {
  void *notification = PQnotifies(connection);
  if (!notification) return 0;
  PQfreemem(notification);
  return 1;
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char failure[512];

static void load(void) {
  static const char *const names[] = {"libpq.so.5", "libpq.5.dylib", "/opt/homebrew/opt/libpq/lib/libpq.5.dylib"};
  void *library = NULL;
  for (size_t index = 0; index < sizeof names / sizeof *names && !library; index += 1) {
    library = dlopen(names[index], RTLD_NOW | RTLD_LOCAL);
    if (!library && index == 0) {
      const char *reason = dlerror();
      snprintf(failure, sizeof failure, "%s", reason ? reason : "libpq.so.5 can't be loaded");
    }
  }
  if (!library) return;
  failure[0] = 0;
  const char *missing = NULL;
#define RESOLVE(theirs) \
  if (!(*(void **)&theirs = dlsym(library, #theirs))) missing = #theirs;
#define RESOLVE_FUNCTION(result, theirs, ours, parameters, arguments) RESOLVE(theirs)
#define RESOLVE_PROCEDURE(theirs, ours, parameters, arguments) RESOLVE(theirs)
  FUNCTIONS(RESOLVE_FUNCTION)
  PROCEDURES(RESOLVE_PROCEDURE)
  RESOLVE(PQsetNoticeProcessor)
  RESOLVE(PQnotifies)
  RESOLVE(PQfreemem)
  RESOLVE(PQconnectStartParams)
  if (missing) snprintf(failure, sizeof failure, "libpq has no %s; version 14 or later is needed", missing);
}

const char *lbx_pg_load(void) {
  pthread_once(&once, load);
  return failure[0] ? failure : NULL;
}
