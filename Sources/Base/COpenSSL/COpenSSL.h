/// The system's OpenSSL 3, and what Swift cannot see of it: macros, and calls with an array of parameters.
#ifndef GRANARY_COPENSSL_H
#define GRANARY_COPENSSL_H

#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <string.h>

/// Versions of TLS from one to another.
static inline int granary_tls_set_versions(SSL_CTX *context, int least, int most) {
    return SSL_CTX_set_min_proto_version(context, least) && SSL_CTX_set_max_proto_version(context, most);
}

static inline uint64_t granary_tls_options(void) {
    return SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_PRIORITIZE_CHACHA;
}

static inline int granary_tls_set_groups(SSL_CTX *context, const char *list) {
    return (int)SSL_CTX_set1_groups_list(context, list);
}

/// Buffers are freed while a connection is idle.
static inline void granary_tls_release_buffers(SSL_CTX *context) {
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
}

/// The library asks for as much as there is, and not for a record's head and then for the rest.
static inline void granary_tls_read_ahead(SSL_CTX *context) { SSL_CTX_set_read_ahead(context, 1); }

static inline void granary_tls_disable_session_cache(SSL_CTX *context) {
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
}

/// Neither issues tickets nor accepts those that another context has issued.
static inline void granary_tls_disable_tickets(SSL_CTX *context) {
    SSL_CTX_set_options(context, SSL_OP_NO_TICKET);
    SSL_CTX_set_num_tickets(context, 0);
}

static inline void granary_tls_set_name_callback(SSL_CTX *context, int (*callback)(SSL *, int *, void *),
                                                 void *argument) {
    SSL_CTX_set_tlsext_servername_callback(context, callback);
    SSL_CTX_set_tlsext_servername_arg(context, argument);
}

static inline int granary_tls_set_server_name(SSL *connection, const char *name) {
    return (int)SSL_set_tlsext_host_name(connection, name);
}

static inline void *granary_tls_context_data(SSL *connection) {
    return SSL_CTX_get_ex_data(SSL_get_SSL_CTX(connection), 0);
}

static inline void granary_tls_set_context_data(SSL_CTX *context, void *data) {
    SSL_CTX_set_ex_data(context, 0, data);
}

/// Starts to seal or to open a ticket: AES-256-CBC under one key, HMAC-SHA-256 under another.
static inline int granary_ticket_begin(EVP_CIPHER_CTX *cipher, EVP_MAC_CTX *mac, const unsigned char *cipher_key,
                                       const unsigned char *mac_key, size_t mac_key_length, unsigned char *iv,
                                       int seals) {
    OSSL_PARAM parameters[3];
    parameters[0] = OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_KEY, (void *)mac_key, mac_key_length);
    parameters[1] = OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)"sha256", 0);
    parameters[2] = OSSL_PARAM_construct_end();
    if (!EVP_MAC_CTX_set_params(mac, parameters)) return 0;
    return EVP_CipherInit_ex(cipher, EVP_aes_256_cbc(), NULL, cipher_key, iv, seals);
}

static inline void granary_bio_retry_reading(BIO *bio) { BIO_set_retry_read(bio); }
static inline void granary_bio_clear_retry(BIO *bio) { BIO_clear_retry_flags(bio); }

static inline EVP_PKEY *granary_generate_ec_key(void) { return EVP_EC_gen("P-256"); }
static inline EVP_PKEY *granary_generate_rsa_key(unsigned int bits) { return EVP_RSA_gen(bits); }

static inline STACK_OF(X509) * granary_chain_new(void) { return sk_X509_new_null(); }
static inline int granary_chain_append(STACK_OF(X509) * chain, X509 *certificate) {
    return sk_X509_push(chain, certificate);
}
static inline void granary_chain_free(STACK_OF(X509) * chain) { sk_X509_pop_free(chain, X509_free); }

static inline int granary_names_count(GENERAL_NAMES *names) { return sk_GENERAL_NAME_num(names); }
/// The bytes of a DNS name, or NULL where that name is of another kind.
static inline const unsigned char *granary_names_dns(GENERAL_NAMES *names, int index, int *length) {
    GENERAL_NAME *name = sk_GENERAL_NAME_value(names, index);
    if (!name || name->type != GEN_DNS) return NULL;
    *length = ASN1_STRING_length(name->d.dNSName);
    return ASN1_STRING_get0_data(name->d.dNSName);
}
/// The bytes of a DNS name, URI or email address, and its prefix in the notation of `openssl.cnf`; NULL where that name is of
/// another kind.
static inline const unsigned char *granary_names_text(GENERAL_NAMES *names, int index, int *length,
                                                      const char **prefix) {
    GENERAL_NAME *name = sk_GENERAL_NAME_value(names, index);
    if (!name) return NULL;
    switch (name->type) {
        case GEN_DNS: *prefix = "DNS:"; break;
        case GEN_URI: *prefix = "URI:"; break;
        case GEN_EMAIL: *prefix = "email:"; break;
        default: return NULL;
    }
    *length = ASN1_STRING_length(name->d.ia5);
    return ASN1_STRING_get0_data(name->d.ia5);
}
static inline void granary_names_free(GENERAL_NAMES *names) { GENERAL_NAMES_free(names); }

/// Adds an extension in the notation of `openssl.cnf`; the certificate's issuer is given for those that refer to it.
static inline int granary_add_extension(X509 *certificate, X509 *issuer, int kind, const char *value) {
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, issuer, certificate, NULL, NULL, 0);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, kind, value);
    if (!extension) return 0;
    int added = X509_add_ext(certificate, extension, -1);
    X509_EXTENSION_free(extension);
    return added;
}

/// Writes a name as RFC 2253 has it, its multibyte characters as they are.
static inline int granary_print_name(BIO *bio, const X509_NAME *name) {
    return X509_NAME_print_ex(bio, name, 0, XN_FLAG_RFC2253 & ~ASN1_STRFLGS_ESC_MSB);
}

/// What a memory buffer holds.
static inline long granary_bio_contents(BIO *bio, char **bytes) { return BIO_get_mem_data(bio, bytes); }

/// A computation of HMAC-SHA-256 that has seen the key and nothing else, to be duplicated; NULL if it fails.
static inline EVP_MAC_CTX *granary_hmac_begin(const unsigned char *key, size_t length) {
    EVP_MAC *mac = EVP_MAC_fetch(NULL, "HMAC", NULL);
    EVP_MAC_CTX *context = mac ? EVP_MAC_CTX_new(mac) : NULL;
    EVP_MAC_free(mac);
    OSSL_PARAM parameters[2];
    parameters[0] = OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)"sha256", 0);
    parameters[1] = OSSL_PARAM_construct_end();
    if (context && EVP_MAC_init(context, key, length, parameters) == 1) return context;
    EVP_MAC_CTX_free(context);
    return NULL;
}

/// Whether a signature is valid. Keys of Ed25519 hash the message themselves; with PSS, the salt is as long as the digest.
static inline int granary_verify(EVP_PKEY *key, int hashes, int is_pss, const unsigned char *signature,
                                 size_t signature_length, const unsigned char *message, size_t length) {
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    EVP_PKEY_CTX *parameters = NULL;
    int is_valid = context &&
                   EVP_DigestVerifyInit(context, &parameters, hashes ? EVP_sha256() : NULL, NULL, key) == 1 &&
                   (!is_pss || (EVP_PKEY_CTX_set_rsa_padding(parameters, RSA_PKCS1_PSS_PADDING) > 0 &&
                                EVP_PKEY_CTX_set_rsa_pss_saltlen(parameters, RSA_PSS_SALTLEN_DIGEST) > 0)) &&
                   EVP_DigestVerify(context, signature, signature_length, message, length) == 1;
    EVP_MD_CTX_free(context);
    if (!is_valid) ERR_clear_error();
    return is_valid;
}

/// Whether a key is on the curve P-256.
static inline int granary_is_p256(EVP_PKEY *key) {
    char name[32];
    size_t length = 0;
    return EVP_PKEY_get_base_id(key) == EVP_PKEY_EC && EVP_PKEY_get_group_name(key, name, sizeof name, &length) == 1 &&
           (strcmp(name, "prime256v1") == 0 || strcmp(name, "P-256") == 0);
}

static inline int granary_is_end_of_pem(unsigned long error) {
    return ERR_GET_LIB(error) == ERR_LIB_PEM && ERR_GET_REASON(error) == PEM_R_NO_START_LINE;
}

#endif
