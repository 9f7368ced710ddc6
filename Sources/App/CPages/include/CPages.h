/// The files of the pages, embedded. A module in C, because `#embed` takes milliseconds. For the array literals that SwiftPM generates
/// (`.embedInCode`), the Swift compiler needs more time than for all other sources of `Granary` together.
#ifndef GRANARY_CPAGES_H
#define GRANARY_CPAGES_H

#include <stddef.h>

#pragma clang assume_nonnull begin

/// A file of text.
struct granary_file {
    /// The path at which it is served, or its path in a package.
    const char *path;
    const char *text;
};

struct granary_files {
    const struct granary_file *first;
    size_t count;
};

/// Returns the style sheet, the icon and the modules of the page.
struct granary_files granary_page_files(void);

/// Returns the package of the JavaScript client: its modules, their declarations and what describes it.
struct granary_files granary_client_files(void);

/// Returns the style sheet, the icon and the modules of the inspector.
struct granary_files granary_inspector_files(void);

/// Returns the document of the page.
const char *granary_index_html(void);

/// Returns the document of the page about the interface.
const char *granary_docs_html(void);

/// Returns the document of the inspector.
const char *granary_inspector_html(void);

#pragma clang assume_nonnull end

#endif
