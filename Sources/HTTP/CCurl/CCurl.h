/// The system's libcurl, and what Swift cannot call of it: functions with variable arguments.
#ifndef GRANARY_CCURL_H
#define GRANARY_CCURL_H

// The checks of types are macros around the functions with variable arguments.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

static inline CURLcode granary_curl_set_number(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode granary_curl_set_text(CURL *handle, CURLoption option, const char *text) {
    return curl_easy_setopt(handle, option, text);
}

/// libcurl copies the bytes.
static inline CURLcode granary_curl_set_content(CURL *handle, const void *bytes, size_t count) {
    CURLcode status = curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
    return status ? status : curl_easy_setopt(handle, CURLOPT_COPYPOSTFIELDS, bytes);
}

/// libcurl copies neither the list of fields nor the buffer for the text of an error, which has CURL_ERROR_SIZE bytes.
static inline CURLcode granary_curl_set_buffers(CURL *handle, struct curl_slist *fields, char *error) {
    CURLcode status = curl_easy_setopt(handle, CURLOPT_HTTPHEADER, fields);
    return status ? status : curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, error);
}

/// Sets the functions that receive the lines of heads and the content, and their last argument.
static inline CURLcode granary_curl_set_receiver(CURL *handle, curl_write_callback line, curl_write_callback content,
                                                 void *receiver) {
    CURLcode status = curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, line);
    if (!status) status = curl_easy_setopt(handle, CURLOPT_HEADERDATA, receiver);
    if (!status) status = curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, content);
    return status ? status : curl_easy_setopt(handle, CURLOPT_WRITEDATA, receiver);
}

/// The status of the newest head; 0 before the first one.
static inline long granary_curl_status(CURL *handle) {
    long status = 0;
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
    return status;
}

/// The version of the library that this process has loaded.
static inline const char *granary_curl_version(void) { return curl_version_info(CURLVERSION_NOW)->version; }

#endif
