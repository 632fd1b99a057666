import { describe, expectTypeOf, test } from 'vitest';
import type {
  ClockRecord,
  ControlBody,
  ControlClient,
  ControlMethod,
  ControlParams,
  ControlPath,
  ControlQuery,
  ControlResult,
  ControlRouteName,
  ControlRouteOf,
  JsonRouteName,
  RoutesAnswering,
  SqsControl,
  SqsMessage,
} from '../src/index.ts';

type ForceDlq = 'POST /_emulator/sqs/{queue_name}/force-dlq';
type CreateAdmin = 'POST /_emulator/iam/create-admin';

describe('the parts of a route', () => {
  test('method and path come from its name', () => {
    expectTypeOf<ControlMethod<ForceDlq>>().toEqualTypeOf<'POST'>();
    expectTypeOf<ControlPath<ForceDlq>>().toEqualTypeOf<'/_emulator/sqs/{queue_name}/force-dlq'>();
    expectTypeOf<ControlParams<ForceDlq>>().toEqualTypeOf<{ queue_name: string }>();
    expectTypeOf<ControlParams<'GET /_emulator/cognito/confirmation-codes/{pool_id}/{username}'>>().toEqualTypeOf<{
      pool_id: string;
      username: string;
    }>();
    expectTypeOf<keyof ControlParams<CreateAdmin>>().toEqualTypeOf<never>();
  });

  test('query and body', () => {
    expectTypeOf<ControlQuery<ForceDlq>>().toEqualTypeOf<{ accountId?: string; region?: string } | undefined>();
    expectTypeOf<ControlBody<ForceDlq>>().toEqualTypeOf<undefined>();
    expectTypeOf<ControlQuery<CreateAdmin>>().toEqualTypeOf<undefined>();
    expectTypeOf<ControlBody<CreateAdmin>>().toEqualTypeOf<{
      accountId: string;
      userName: string;
      organizationId?: string;
    }>();
    expectTypeOf<ControlBody<'POST /_emulator/dynamodb/snapshot/save'>>().toEqualTypeOf<
      { dataPath: string } | undefined
    >();
  });

  test('routes by kind of response', () => {
    expectTypeOf<RoutesAnswering<string>>().toEqualTypeOf<'GET /_emulator/sns/cert.pem'>();
    expectTypeOf<
      Exclude<ControlRouteName, JsonRouteName | RoutesAnswering<string | Uint8Array>>
    >().toEqualTypeOf<'WS /_emulator/apigatewayv2/ws/{api_id}'>();
  });
});

test('methods have the names, arguments and results of their declarations', () => {
  expectTypeOf<keyof ControlClient['sqs']>().toEqualTypeOf<'messages' | 'urls' | 'expirationTick' | 'forceDlq'>();
  expectTypeOf<ControlClient['sqs']>().toEqualTypeOf<SqsControl>();
  expectTypeOf<Parameters<SqsControl['messages']>>().toEqualTypeOf<[]>();
  expectTypeOf<Parameters<SqsControl['forceDlq']>>().toEqualTypeOf<
    [queueName: string, scope?: { accountId?: string; region?: string } | undefined]
  >();
  expectTypeOf<ReturnType<SqsControl['forceDlq']>>().toEqualTypeOf<Promise<{ movedMessages: number }>>();
  expectTypeOf<Parameters<ControlClient['clock']['set']>>().toEqualTypeOf<[time: Date | string]>();
  expectTypeOf<ReturnType<ControlClient['clock']['set']>>().toEqualTypeOf<Promise<ClockRecord>>();
  expectTypeOf<Parameters<ControlClient['requests']['record']>>().toEqualTypeOf<[recording?: boolean | undefined]>();
  expectTypeOf<ReturnType<ControlClient['requests']['record']>>().toEqualTypeOf<Promise<void>>();
  expectTypeOf<keyof ControlClient['faults']>().toEqualTypeOf<'add' | 'list' | 'clear'>();
  expectTypeOf<ControlClient['faults']['clear']>().toEqualTypeOf<(id?: string) => Promise<number>>();
  expectTypeOf<ReturnType<ControlClient['apigatewayv2']['wsUrl']>>().toEqualTypeOf<string>();
});

test('methods resolve to the responses of their routes', () => {
  expectTypeOf<ReturnType<ControlClient['sqs']['messages']>>().resolves.toEqualTypeOf<{ messages: SqsMessage[] }>();
  expectTypeOf<ReturnType<ControlClient['health']>>().resolves.toEqualTypeOf<ControlResult<'GET /_emulator/health'>>();
  expectTypeOf<ReturnType<ControlClient['lambda']['functionCode']>>().resolves.toEqualTypeOf<Uint8Array>();
  expectTypeOf<Parameters<ControlClient['dnsResolve']>>().toEqualTypeOf<
    [
      name: string,
      type?: 'A' | 'AAAA' | 'CNAME' | 'MX' | 'TXT' | 'NS' | 'PTR' | 'SPF' | 'CAA' | 'SRV' | 'SOA' | undefined,
    ]
  >();
});

describe("a server's route", () => {
  interface Queues {
    readonly messages: readonly SqsMessage[];
  }

  test('has checked types of method, path, parameters, query and response', () => {
    const route: ControlRouteOf<ForceDlq, Queues> = {
      method: 'POST',
      path: '/_emulator/sqs/{queue_name}/force-dlq',
      handle({ params, query, body }, { messages }) {
        expectTypeOf(params.queue_name).toEqualTypeOf<string>();
        expectTypeOf(query.get('region')).toEqualTypeOf<string | null>();
        expectTypeOf(body).toEqualTypeOf<unknown>();
        // @ts-expect-error not a parameter of the route
        params.queueName;
        // @ts-expect-error not in the route's query
        query.get('zone');
        return { json: { movedMessages: messages.length } };
      },
    };
    expectTypeOf(route.method).toEqualTypeOf<'POST'>();
    expectTypeOf<{ json: { moved: number } }>().not.toExtend<ReturnType<(typeof route)['handle']>>();
  });

  test('may return read-only state', () => {
    type Messages = ControlRouteOf<'GET /_emulator/sqs/messages', Queues>;
    expectTypeOf<{ json: Queues }>().toExtend<ReturnType<Messages['handle']>>();
    expectTypeOf<{ json: { messages: readonly [{ readonly body: string }] } }>().not.toExtend<
      ReturnType<Messages['handle']>
    >();
  });

  test('returns bytes if the client reads bytes', () => {
    type Certificate = ReturnType<ControlRouteOf<'GET /_emulator/sns/cert.pem'>['handle']>;
    expectTypeOf<{ contentType: string; body: Uint8Array }>().toExtend<Certificate>();
    expectTypeOf<{ json: string }>().not.toExtend<Certificate>();
  });
});
