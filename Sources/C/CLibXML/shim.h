/* Debian builds libxml2 with ICU, whose headers differ from those of Foundation's ICU. Only fields of a structure that
   Longbox doesn't use depend on ICU. */
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/HTMLparser.h>
