// Puts load on a server and prints requests per second and latency as JSON. Runs in its own process, so that it can use
// its own core. Usage: node load.mjs '<JSON>' with { url, seconds, connections, requests }; a request is { method,
// path, headers, body }, in which the text `"$receipt"` is replaced by the receipt handle of the previous response.
import autocannon from 'autocannon';

const { url, seconds, connections, requests } = JSON.parse(process.argv[2]);
const RECEIPT = /"ReceiptHandle":"([^"]+)"/;

const result = await autocannon({
  url,
  connections,
  duration: seconds,
  requests: requests.map(({ method = 'POST', path = '/', headers, body }) => ({
    method,
    path,
    headers,
    body,
    ...(requests.length > 1 && {
      onResponse: (_status, text, context) => {
        context.receipt = RECEIPT.exec(text)?.[1] ?? context.receipt;
      },
    }),
    ...(body.includes('$receipt') && {
      setupRequest: (request, context) => ({ ...request, body: body.replace('$receipt', context.receipt) }),
    }),
  })),
});
console.log(
  JSON.stringify({
    perSecond: result['2xx'] / result.duration,
    total: result['2xx'],
    failed: result.non2xx + result.errors + result.timeouts,
    p50: result.latency.p50,
    p99: result.latency.p99,
  }),
);
