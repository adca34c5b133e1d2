/* Debian builds libxml2 with ICU, whose headers are not those of the ICU in Foundation. Only the fields of a structure that
   nobody uses here depend on it. */
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/HTMLparser.h>
