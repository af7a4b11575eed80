/** @needs php */
import { runIn } from '@tender/contracts/testing';
import { sampleIn, testSample } from '../testing/samples';

const DRIVER = `<?php
require 'sample.php';
$judged = [];
foreach (json_decode(file_get_contents('php://stdin'), true) as $one) {
    $body = base64_decode($one['body']);
    $judged[] = isset($one['standard'])
        ? is_standard_webhook($body, $one['standard'], $one['secret'], $one['now'])
        : is_from_tender($body, $one['signature'], $one['secret'], $one['now']);
}
echo json_encode($judged);
`;

test('the PHP sample believes what Tender sent, and nothing else', () =>
  testSample((cases) => {
    const files = { 'sample.php': sampleIn('php'), 'driver.php': DRIVER };
    return JSON.parse(runIn(files, ['php', 'driver.php'], JSON.stringify(cases)));
  }));
