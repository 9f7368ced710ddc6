// Serves a page of 2 KB with Go's own server: server PORT SECURE-PORT CERTIFICATE KEY.
package main

import (
	"bytes"
	"log"
	"net/http"
	"os"
	"time"
)

var page = bytes.Repeat([]byte("x"), 2048)

func answer(writer http.ResponseWriter, _ *http.Request) {
	writer.Header().Set("Content-Type", "text/plain")
	writer.Write(page)
}

func main() {
	if len(os.Args) != 5 {
		log.Fatal("server PORT SECURE-PORT CERTIFICATE KEY")
	}
	plain := &http.Server{Addr: "127.0.0.1:" + os.Args[1], Handler: http.HandlerFunc(answer), IdleTimeout: time.Hour}
	secure := &http.Server{Addr: "127.0.0.1:" + os.Args[2], Handler: http.HandlerFunc(answer), IdleTimeout: time.Hour}
	go func() { log.Fatal(plain.ListenAndServe()) }()
	log.Fatal(secure.ListenAndServeTLS(os.Args[3], os.Args[4]))
}
