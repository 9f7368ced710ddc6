#include "CPages.h"

// C23 has `#embed`, and the compiler accepts it in older dialects. It records the files as dependencies of the object.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const struct granary_file page_files[] = {
    {"/style.css", (const char[]){
#embed "../Granary/Pages/style.css" suffix(, 0)
    }},
    {"/icon.svg", (const char[]){
#embed "../Granary/Pages/icon.svg" suffix(, 0)
    }},
    {"/commands.js", (const char[]){
#embed "../Granary/Pages/commands.js" suffix(, 0)
    }},
    {"/console.js", (const char[]){
#embed "../Granary/Pages/console.js" suffix(, 0)
    }},
    {"/copy.js", (const char[]){
#embed "../Granary/Pages/copy.js" suffix(, 0)
    }},
    {"/development.js", (const char[]){
#embed "../Granary/Pages/development.js" suffix(, 0)
    }},
    {"/docs.js", (const char[]){
#embed "../Granary/Pages/docs.js" suffix(, 0)
    }},
    {"/element.js", (const char[]){
#embed "../Granary/Pages/element.js" suffix(, 0)
    }},
    {"/form.js", (const char[]){
#embed "../Granary/Pages/form.js" suffix(, 0)
    }},
    {"/link.js", (const char[]){
#embed "../Granary/Pages/link.js" suffix(, 0)
    }},
    {"/log.js", (const char[]){
#embed "../Granary/Pages/log.js" suffix(, 0)
    }},
    {"/machines.js", (const char[]){
#embed "../Granary/Pages/machines.js" suffix(, 0)
    }},
    {"/main.js", (const char[]){
#embed "../Granary/Pages/main.js" suffix(, 0)
    }},
    {"/note.js", (const char[]){
#embed "../Granary/Pages/note.js" suffix(, 0)
    }},
    {"/outputs.js", (const char[]){
#embed "../Granary/Pages/outputs.js" suffix(, 0)
    }},
    {"/schema.js", (const char[]){
#embed "../Granary/Pages/schema.js" suffix(, 0)
    }},
    {"/status.js", (const char[]){
#embed "../Granary/Pages/status.js" suffix(, 0)
    }},
};

struct granary_files granary_page_files(void) {
    return (struct granary_files){page_files, sizeof page_files / sizeof *page_files};
}

static const struct granary_file client_files[] = {
    {"LICENSE", (const char[]){
#embed "../../../LICENSE" suffix(, 0)
    }},
    {"README.md", (const char[]){
#embed "../../../Clients/JavaScript/README.md" suffix(, 0)
    }},
    {"package.json", (const char[]){
#embed "../../../Clients/JavaScript/package.json" suffix(, 0)
    }},
    {"src/backoff.js", (const char[]){
#embed "../../../Clients/JavaScript/src/backoff.js" suffix(, 0)
    }},
    {"src/connection.js", (const char[]){
#embed "../../../Clients/JavaScript/src/connection.js" suffix(, 0)
    }},
    {"src/creation.js", (const char[]){
#embed "../../../Clients/JavaScript/src/creation.js" suffix(, 0)
    }},
    {"src/emitter.js", (const char[]){
#embed "../../../Clients/JavaScript/src/emitter.js" suffix(, 0)
    }},
    {"src/following.js", (const char[]){
#embed "../../../Clients/JavaScript/src/following.js" suffix(, 0)
    }},
    {"src/granary.js", (const char[]){
#embed "../../../Clients/JavaScript/src/granary.js" suffix(, 0)
    }},
    {"src/granary.d.ts", (const char[]){
#embed "../../../Clients/JavaScript/src/granary.d.ts" suffix(, 0)
    }},
    {"src/granary-machine.js", (const char[]){
#embed "../../../Clients/JavaScript/src/granary-machine.js" suffix(, 0)
    }},
    {"src/granary-machine.d.ts", (const char[]){
#embed "../../../Clients/JavaScript/src/granary-machine.d.ts" suffix(, 0)
    }},
    {"src/hub.js", (const char[]){
#embed "../../../Clients/JavaScript/src/hub.js" suffix(, 0)
    }},
    {"src/leader.js", (const char[]){
#embed "../../../Clients/JavaScript/src/leader.js" suffix(, 0)
    }},
    {"src/machine.js", (const char[]){
#embed "../../../Clients/JavaScript/src/machine.js" suffix(, 0)
    }},
    {"src/memory.js", (const char[]){
#embed "../../../Clients/JavaScript/src/memory.js" suffix(, 0)
    }},
    {"src/outbox.js", (const char[]){
#embed "../../../Clients/JavaScript/src/outbox.js" suffix(, 0)
    }},
    {"src/parser.js", (const char[]){
#embed "../../../Clients/JavaScript/src/parser.js" suffix(, 0)
    }},
    {"src/presence.js", (const char[]){
#embed "../../../Clients/JavaScript/src/presence.js" suffix(, 0)
    }},
    {"src/react.js", (const char[]){
#embed "../../../Clients/JavaScript/src/react.js" suffix(, 0)
    }},
    {"src/react.d.ts", (const char[]){
#embed "../../../Clients/JavaScript/src/react.d.ts" suffix(, 0)
    }},
    {"src/request.js", (const char[]){
#embed "../../../Clients/JavaScript/src/request.js" suffix(, 0)
    }},
    {"src/situation.js", (const char[]){
#embed "../../../Clients/JavaScript/src/situation.js" suffix(, 0)
    }},
    {"src/stream.js", (const char[]){
#embed "../../../Clients/JavaScript/src/stream.js" suffix(, 0)
    }},
    {"src/ticket.js", (const char[]){
#embed "../../../Clients/JavaScript/src/ticket.js" suffix(, 0)
    }},
    {"src/token.js", (const char[]){
#embed "../../../Clients/JavaScript/src/token.js" suffix(, 0)
    }},
    {"src/values.js", (const char[]){
#embed "../../../Clients/JavaScript/src/values.js" suffix(, 0)
    }},
    {"src/worker.js", (const char[]){
#embed "../../../Clients/JavaScript/src/worker.js" suffix(, 0)
    }},
};

struct granary_files granary_client_files(void) {
    return (struct granary_files){client_files, sizeof client_files / sizeof *client_files};
}

static const struct granary_file inspector_files[] = {
    {"/inspector/actions.js", (const char[]){
#embed "../Granary/Inspector/actions.js" suffix(, 0)
    }},
    {"/inspector/app.js", (const char[]){
#embed "../Granary/Inspector/app.js" suffix(, 0)
    }},
    {"/inspector/browse.js", (const char[]){
#embed "../Granary/Inspector/browse.js" suffix(, 0)
    }},
    {"/inspector/client.js", (const char[]){
#embed "../Granary/Inspector/client.js" suffix(, 0)
    }},
    {"/inspector/commands.js", (const char[]){
#embed "../Granary/Pages/commands.js" suffix(, 0)
    }},
    {"/inspector/compare.js", (const char[]){
#embed "../Granary/Inspector/compare.js" suffix(, 0)
    }},
    {"/inspector/dialog.js", (const char[]){
#embed "../Granary/Inspector/dialog.js" suffix(, 0)
    }},
    {"/inspector/diff.js", (const char[]){
#embed "../Granary/Inspector/diff.js" suffix(, 0)
    }},
    {"/inspector/dom.js", (const char[]){
#embed "../Granary/Inspector/dom.js" suffix(, 0)
    }},
    {"/inspector/element.js", (const char[]){
#embed "../Granary/Pages/element.js" suffix(, 0)
    }},
    {"/inspector/form.js", (const char[]){
#embed "../Granary/Pages/form.js" suffix(, 0)
    }},
    {"/inspector/icon.svg", (const char[]){
#embed "../Granary/Pages/icon.svg" suffix(, 0)
    }},
    {"/inspector/inspect.js", (const char[]){
#embed "../Granary/Inspector/inspect.js" suffix(, 0)
    }},
    {"/inspector/inspector.css", (const char[]){
#embed "../Granary/Inspector/inspector.css" suffix(, 0)
    }},
    {"/inspector/moment.js", (const char[]){
#embed "../Granary/Inspector/moment.js" suffix(, 0)
    }},
    {"/inspector/schema.js", (const char[]){
#embed "../Granary/Pages/schema.js" suffix(, 0)
    }},
    {"/inspector/serverview.js", (const char[]){
#embed "../Granary/Inspector/serverview.js" suffix(, 0)
    }},
    {"/inspector/text.js", (const char[]){
#embed "../Granary/Inspector/text.js" suffix(, 0)
    }},
    {"/inspector/timeline.js", (const char[]){
#embed "../Granary/Inspector/timeline.js" suffix(, 0)
    }},
    {"/inspector/virtual.js", (const char[]){
#embed "../Granary/Inspector/virtual.js" suffix(, 0)
    }},
};

struct granary_files granary_inspector_files(void) {
    return (struct granary_files){inspector_files, sizeof inspector_files / sizeof *inspector_files};
}

const char *granary_index_html(void) {
    static const char text[] = {
#embed "../Granary/Pages/index.html" suffix(, 0)
    };
    return text;
}

const char *granary_docs_html(void) {
    static const char text[] = {
#embed "../Granary/Pages/docs.html" suffix(, 0)
    };
    return text;
}

const char *granary_inspector_html(void) {
    static const char text[] = {
#embed "../Granary/Inspector/inspector.html" suffix(, 0)
    };
    return text;
}
