import { setTimeout } from 'node:timers/promises';
import { type Benchmark, besideBare, type Prepare, withServers } from './compare.ts';
import { IdleConnections } from './idle-connections.ts';
import { invoke, medianOf, startFunctions } from './lambda.ts';
import { alternate } from './measure.ts';
import { call, type LoadRequest, type Server, startEmu } from './processes.ts';

const REGION = 'us-east-1';
const API = 'benchapi01';
/** Milliseconds that an HTTP API may add to the invocation of its function. */
const API_MARGIN = 1;
const BODY = '{"message":"hello"}';

const HEADERS = {
  'content-type': 'application/json',
  authorization: `AWS4-HMAC-SHA256 Credential=test/20250101/${REGION}/apigateway/aws4_request, SignedHeaders=host;x-amz-date, Signature=${'0'.repeat(64)}`,
};

/** Calls an operation of API Gateway. */
const manage = (server: Server, method: string, path: string, input: object = {}): Promise<Record<string, unknown>> =>
  call(server, { method, path, headers: HEADERS, body: method === 'GET' ? '' : JSON.stringify(input) });

/** Returns a request to the API. */
const request = (path: string): LoadRequest => ({
  method: 'GET',
  path: `/_aws/execute-api/${API}${path}`,
  headers: { accept: '*/*' },
  body: '',
});

/** Creates a REST API with a single mock method. */
async function makeMock(server: Server): Promise<void> {
  const api = `/restapis/${API}`;
  await manage(server, 'POST', '/restapis', { name: 'bench', tags: { _custom_id_: API } });
  const [root] = (await manage(server, 'GET', `${api}/resources`)).item as { id: string }[];
  const method = `${api}/resources/${root!.id}/methods/GET`;
  await manage(server, 'PUT', method, { authorizationType: 'NONE' });
  await manage(server, 'PUT', `${method}/responses/200`);
  const requestTemplates = { 'application/json': '{"statusCode": 200}' };
  await manage(server, 'PUT', `${method}/integration`, { type: 'MOCK', requestTemplates });
  const responseTemplates = { 'application/json': BODY };
  await manage(server, 'PUT', `${method}/integration/responses/200`, { responseTemplates });
  await manage(server, 'POST', `${api}/deployments`, { stageName: 'prod' });
}

const mock = (): Prepare => {
  let made = false;
  return async (server) => {
    if (!made) await makeMock(server);
    made = true;
    return [request('/prod')];
  };
};

const httpApi: Benchmark = ({ rounds }) =>
  withServers([startFunctions()], async (emu) => {
    await manage(emu!, 'POST', '/v2/apis', {
      name: 'bench',
      protocolType: 'HTTP',
      target: `arn:aws:lambda:${REGION}:123456789012:function:echo`,
      tags: { _custom_id_: API },
    });
    await medianOf(emu!, request('/'), 300);
    await medianOf(emu!, invoke, 300);
    const figures = await alternate(
      rounds,
      () => medianOf(emu!, request('/'), 500),
      async () => (await medianOf(emu!, invoke, 500)) + API_MARGIN,
    );
    const name = `HTTP API: median request to a warm function, beside Invoke and ${API_MARGIN} ms`;
    return [{ name, unit: 'ms', target: { atMost: 1 }, ...figures }];
  });

/** Number of WebSocket connections, and limit of memory per connection in kilobytes. */
const SOCKETS = 5000;
const KILOBYTES = 20;
/** Milliseconds for emu to become idle. */
const REST = 2000;

/** Creates a WebSocket API without responses, with a stage `dev`. */
async function makeSockets(server: Server): Promise<void> {
  const route = { name: 'bench', protocolType: 'WEBSOCKET', routeSelectionExpression: '$request.body.action' };
  await manage(server, 'POST', '/v2/apis', { ...route, tags: { _custom_id_: API } });
  await manage(server, 'POST', `/v2/apis/${API}/routes`, { routeKey: '$default' });
  await manage(server, 'POST', `/v2/apis/${API}/stages`, { stageName: 'dev', autoDeploy: true });
}

const sockets: Benchmark = () =>
  withServers([startEmu()], async (emu) => {
    await makeSockets(emu!);
    const port = Number(new URL(emu!.url).port);
    const handshake = `GET /_aws/execute-api/${API}/dev HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: ${Buffer.alloc(16).toString('base64')}\r\n\r\n`;
    const [first, others] = [new IdleConnections(handshake), new IdleConnections(handshake)];
    try {
      // The first connections load code and allocate memory for many concurrent ones, which is needed once.
      await first.add(port, SOCKETS / 2);
      await setTimeout(REST);
      const before = emu!.memory();
      await others.add(port, SOCKETS);
      await setTimeout(REST);
      const value = (emu!.memory() - before) / SOCKETS / 1024;
      const { connections } = await manage(emu!, 'GET', '/_emulator/apigatewayv2/connections');
      const { length: open } = connections as unknown[];
      if (open < SOCKETS * 1.5) throw new Error(`only ${open} of ${SOCKETS * 1.5} connections are open`);
      const name = `WebSocket API: memory of one of ${SOCKETS} open connections`;
      const figure = { value, reference: KILOBYTES, ratio: value / KILOBYTES, rounds: 1 };
      return [{ name, unit: 'kB', target: { atMost: 1 }, ...figure }];
    } finally {
      first.close();
      others.close();
    }
  });

/** Benchmarks of API requests by name. */
export const apiGatewayBenchmarks: Readonly<Record<string, Benchmark>> = {
  'rest-mock': besideBare('API Gateway: MOCK method of a REST API', BODY, mock, 0.35),
  'http-api': httpApi,
  'websocket-memory': sockets,
};
