/* The little of XML that robot files need; only where the program is built with libxml2. */
#ifndef GRAZE_CLI_XML_H
#define GRAZE_CLI_XML_H

#include <libxml/parser.h>
#include <libxml/tree.h>
#include <stdbool.h>

/* A file whose outermost element is `root`; exits 2 where it is not. */
xmlDoc *cli_xml_open(const char *path, const char *root);
bool cli_xml_is(const xmlNode *node, const char *name);
/* The first child of that name, or NULL; `node` may be NULL. */
xmlNode *cli_xml_child(const xmlNode *node, const char *name);
/* The attribute, or NULL; free it. */
char *cli_xml_attribute(xmlNode *node, const char *name);

#endif
