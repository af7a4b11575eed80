/** @needs go */
import { runIn } from '@tender/contracts/testing';
import { sampleIn, testSample } from '../testing/samples';

const DRIVER = `package main

import (
	"encoding/json"
	"net/http"
	"os"
	"time"

	"sample/tender"
)

func main() {
	var cases []struct {
		Body              []byte
		Signature, Secret string
		Standard          map[string]string
		Now               *int64
	}
	if err := json.NewDecoder(os.Stdin).Decode(&cases); err != nil {
		panic(err)
	}
	judged := []bool{}
	for _, one := range cases {
		now := time.Now()
		if one.Now != nil {
			now = time.Unix(*one.Now, 0)
		}
		if one.Standard == nil {
			judged = append(judged, tender.IsFromTender(one.Body, one.Signature, one.Secret, now))
			continue
		}
		headers := http.Header{}
		for name, value := range one.Standard {
			headers.Set(name, value)
		}
		judged = append(judged, tender.IsStandardWebhook(one.Body, headers, one.Secret, now))
	}
	json.NewEncoder(os.Stdout).Encode(judged)
}
`;

test('the Go sample believes what Tender sent, and nothing else', () =>
  testSample((cases) => {
    const files = {
      'go.mod': 'module sample\n\ngo 1.20\n',
      'main.go': DRIVER,
      'tender/tender.go': sampleIn('go'),
    };
    return JSON.parse(runIn(files, ['go', 'run', '.'], JSON.stringify(cases), { GOTOOLCHAIN: 'local' }));
  }));
