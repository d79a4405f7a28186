/* XML by libxml2. */
#if defined(GRAZE_HAVE_XML)

#include "cli/xml.h"

#include "cli/robot.h"

#include "io/output.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

xmlDoc *cli_xml_open(const char *path, const char *root) {
    if (access(path, R_OK) != 0) cli_fail("%s: cannot be read: %s", path, strerror(errno));
    io_note_input(path);
    xmlDoc *doc = xmlReadFile(path, NULL, XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_NONET | XML_PARSE_HUGE);
    const xmlError *error = xmlGetLastError();
    if (!doc) cli_fail("%s:%d: %s", path, error ? error->line : 0, error && error->line ? "not XML" : "cannot be read");
    xmlNode *node = xmlDocGetRootElement(doc);
    if (!node || strcmp((const char *)node->name, root) != 0) cli_fail("%s: not a <%s>", path, root);
    return doc;
}

bool cli_xml_is(const xmlNode *node, const char *name) {
    return node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, name) == 0;
}

xmlNode *cli_xml_child(const xmlNode *node, const char *name) {
    for (xmlNode *child = node ? node->children : NULL; child; child = child->next)
        if (cli_xml_is(child, name)) return child;
    return NULL;
}

char *cli_xml_attribute(xmlNode *node, const char *name) {
    xmlChar *value = node ? xmlGetProp(node, (const xmlChar *)name) : NULL;
    if (!value) return NULL;
    char *copy = cli_copy_text((const char *)value);
    xmlFree(value);
    return copy;
}

#else
typedef int cli_no_xml; /* a file without a declaration is no C */
#endif
