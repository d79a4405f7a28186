/* Contacts of links as `graze articulate` tells them. */
#ifndef GRAZE_CLI_ROBOTS_LINK_CONTACT_H
#define GRAZE_CLI_ROBOTS_LINK_CONTACT_H

#include "cli/made_models.h"

/* Ends the program: a failed call, with the names of the model and link that are at fault. */
_Noreturn void cli_fail_models(const graze_context *context, const cli_model_file *file, graze_status status);

/* {"model": …, "link": …} */
cJSON *cli_link_json(const cli_model_file *file, uint32_t model, uint32_t link);
/* Links, pair, point and normal; NULL: nulls. */
void cli_add_place(cJSON *object, const cli_model_file *file, const graze_link_contact *contact);
void cli_print_contact(const cli_model_file *file, const graze_link_contact *contact);

#endif
