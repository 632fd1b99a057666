import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { fakeService } from '@emu/gateway/testing';
import { manifest as apigatewayv2 } from '@emu/svc-apigatewayv2/manifest';
import { bodyOf, describeHostileInputs, eventually, type HostileClient, type Outcome } from './support.ts';

const FUNCTION = 'arn:aws:lambda:us-east-1:123456789012:function:f';
const URI = `arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/${FUNCTION}/invocations`;

let invoked = 0;
const lambda = fakeService('lambda', {
  Invoke: () => {
    invoked++;
    return { StatusCode: 200, Payload: Buffer.from('{"statusCode":200}') };
  },
});

/** Creates a WebSocket API whose routes invoke a function. @returns its id */
async function socketApi(client: HostileClient, ...routes: readonly string[]): Promise<string> {
  const post = async <T>(path: string, input: object): Promise<T> =>
    bodyOf<T>(await client.signed('apigatewayv2', 'POST', `/v2/apis${path}`, input));
  const { apiId } = await post<{ apiId: string }>('', {
    name: 'sockets',
    protocolType: 'WEBSOCKET',
    routeSelectionExpression: '$request.body.do',
  });
  const integration = { integrationType: 'AWS_PROXY', integrationUri: URI };
  const { integrationId } = await post<{ integrationId: string }>(`/${apiId}/integrations`, integration);
  for (const routeKey of routes) await post(`/${apiId}/routes`, { routeKey, target: `integrations/${integrationId}` });
  await post(`/${apiId}/stages`, { stageName: 'dev', autoDeploy: true });
  return apiId;
}

const handshake = (apiId: string): string =>
  [
    `GET /_aws/execute-api/${apiId}/dev HTTP/1.1`,
    'host: 127.0.0.1',
    'connection: upgrade',
    'upgrade: websocket',
    'sec-websocket-version: 13',
    `sec-websocket-key: ${Buffer.alloc(16).toString('base64')}`,
    '\r\n',
  ].join('\r\n');

async function connected(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  return socket.on('error', () => undefined);
}

/** Runs a flood at an open port, until the function was invoked a number of times. */
async function flood(
  client: HostileClient,
  total: number,
  send: (port: number) => Promise<Socket[]>,
): Promise<Outcome> {
  const listener = await client.emulator.gateway.listen({ port: 0 });
  const before = invoked;
  const sockets = await send(listener.port);
  await eventually(async () => invoked - before >= total || undefined);
  for (const socket of sockets) socket.destroy();
  await listener.close(0);
  return { status: 200, text: '' };
}

/** A client's frame of the text `x`, masked with zeros (RFC 6455, section 5.2). */
const FRAME = Buffer.from([0x81, 0x81, 0, 0, 0, 0, 0x78]);

describeHostileInputs(
  [apigatewayv2, lambda],
  [
    {
      name: '5,000 messages of one WebSocket at once',
      send: async (client) => {
        const apiId = await socketApi(client, '$default');
        return flood(client, 5000, async (port) => {
          const socket = await connected(port);
          socket.write(handshake(apiId));
          await once(socket, 'data');
          socket.write(Buffer.concat(Array.from({ length: 5000 }, () => FRAME)));
          return [socket];
        });
      },
    },
    {
      name: '500 WebSockets at once',
      send: async (client) => {
        const apiId = await socketApi(client, '$connect');
        return flood(client, 500, async (port) => {
          const sockets = await Promise.all(Array.from({ length: 500 }, () => connected(port)));
          for (const socket of sockets) socket.write(handshake(apiId));
          return sockets;
        });
      },
    },
  ],
);
