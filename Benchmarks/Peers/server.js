// Serves a page of 2 KB with Node's own servers, in two processes:
//   node server.js PORT PORT-OF-HTTP2 SECURE-PORT SECURE-PORT-OF-HTTP2 CERTIFICATE KEY
'use strict'
const cluster = require('node:cluster')
const fs = require('node:fs')
const http = require('node:http')
const http2 = require('node:http2')
const https = require('node:https')

const PROCESSES = 2
const page = Buffer.alloc(2048, 'x')
const fields = { 'content-type': 'text/plain', 'content-length': page.length }

function answer(request, response) {
  response.writeHead(200, fields)
  response.end(page)
}

function answerStream(stream) {
  stream.respond({ ':status': 200, ...fields })
  stream.end(page)
}

function serve([port, http2Port, securePort, secureHTTP2Port, certificate, key]) {
  const identity = { cert: fs.readFileSync(certificate), key: fs.readFileSync(key) }
  const patience = { keepAliveTimeout: 3600_000, requestTimeout: 0 }
  http.createServer(patience, answer).listen(port, '127.0.0.1')
  https.createServer({ ...identity, ...patience }, answer).listen(securePort, '127.0.0.1')
  http2.createServer().on('stream', answerStream).listen(http2Port, '127.0.0.1')
  http2.createSecureServer(identity).on('stream', answerStream).listen(secureHTTP2Port, '127.0.0.1')
}

if (cluster.isPrimary) {
  for (let count = 0; count < PROCESSES; count++) cluster.fork()
} else {
  serve(process.argv.slice(2))
}
