import { recordedTelemetry } from '@tender/eventing/testing';
import { EdgeStage, UNKNOWN_KEY, bearer } from '../testing/edge-stage';

const CORRELATION = 'a3ce929d-4bf9-42f3-977b-0e0e47364da6';

async function measured(ask: (stage: EdgeStage) => Promise<unknown>) {
  const recorded = recordedTelemetry();
  const stage = new EdgeStage({
    telemetry: recorded.telemetry,
    handlers: {
      createPayment: () => {
        throw new Error('the row is locked');
      },
    },
  });
  await ask(stage);
  const [[labels] = []] = recorded.of('tender_http_request_seconds');
  const [in_flight] = await recorded.read('tender_http_requests_in_flight');
  await stage.server.close();
  return { ...recorded, labels, span: recorded.spans[0], in_flight: in_flight?.value };
}

test('a request is measured by its template and class, never by its path', async () => {
  const { labels, span, in_flight } = await measured((stage) => stage.get('/api/v1/payments/pay_test_1'));
  expect(labels).toEqual({ route: '/api/v1/payments/{id}', method: 'GET', status: '2xx' });
  expect(span).toMatchObject({ name: 'GET /api/v1/payments/{id}', root: true, failed: false });
  expect(span?.attributes).toMatchObject({ 'tender.mode': 'test' });
  expect(in_flight).toBe(0);
});

test('the client’s correlation id and trace are kept apart from ours', async () => {
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  const { span } = await measured((stage) =>
    stage.payments({ amount: 1 }, { 'x-correlation-id': CORRELATION, traceparent }),
  );
  expect(span).toMatchObject({ correlation_id: CORRELATION, root: false, linked: traceparent });
});

test('what fails on our side has failed, and its message is not in the span', async () => {
  const { labels, span } = await measured((stage) => stage.payments({ amount: 1 }));
  expect(labels).toMatchObject({ status: '5xx' });
  expect(span).toMatchObject({ failed: true });
  expect(JSON.stringify(span)).not.toContain('locked');
});

test('a path that nothing serves is one route, whatever it is called', async () => {
  const { labels } = await measured((stage) => stage.get('/api/v1/guess-17'));
  expect(labels).toEqual({ route: 'none', method: 'none', status: '4xx' });
});

test('refusals for rate are counted by the limit that decided', async () => {
  const { of } = await measured(async (stage) => {
    await stage.get('/api/v1/payments');
    for (let tries = 0; tries <= 60; tries += 1) await stage.get('/api/v1/payments', bearer(UNKNOWN_KEY));
    await stage.get('/api/v1/payments');
  });
  const decisions = of('tender_rate_limit_decisions_total').map(([labels]) => labels);
  expect(decisions.slice(-2)).toEqual([
    { category: 'bad_key', decision: 'refused' },
    { category: 'read', decision: 'admitted' },
  ]);
});
