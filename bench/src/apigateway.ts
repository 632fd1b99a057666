import { type Benchmark, besideBare, type Prepare, withServers } from './compare.ts';
import { invoke, medianOf, startFunctions } from './lambda.ts';
import { alternate } from './measure.ts';
import { call, type LoadRequest, type Server } from './processes.ts';

const REGION = 'us-east-1';
const API = 'benchapi01';
/** Milliseconds that an HTTP API may take longer than the invocation of the function behind it. */
const API_MARGIN = 1;
const BODY = '{"message":"hello"}';

const HEADERS = {
  'content-type': 'application/json',
  authorization: `AWS4-HMAC-SHA256 Credential=test/20250101/${REGION}/apigateway/aws4_request, SignedHeaders=host;x-amz-date, Signature=${'0'.repeat(64)}`,
};

/** Calls an operation of API Gateway. */
const manage = (server: Server, method: string, path: string, input: object = {}): Promise<Record<string, unknown>> =>
  call(server, { method, path, headers: HEADERS, body: method === 'GET' ? '' : JSON.stringify(input) });

/** A request to the API. */
const request = (path: string): LoadRequest => ({
  method: 'GET',
  path: `/_aws/execute-api/${API}${path}`,
  headers: { accept: '*/*' },
  body: '',
});

/** A REST API whose only method is a mock. */
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

/** What requests to APIs cost, by name. */
export const apiGatewayBenchmarks: Readonly<Record<string, Benchmark>> = {
  'rest-mock': besideBare('API Gateway: MOCK method of a REST API', BODY, mock, 0.35),
  'http-api': httpApi,
};
