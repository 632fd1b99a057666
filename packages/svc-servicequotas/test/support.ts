import { ServiceQuotas } from '@aws-sdk/client-service-quotas';
import { type AnyQuota, definePlugin, listedQuotas, PER_SECOND, type ServiceManifest } from '@emu/core/service';
import {
  createTestEmulator,
  fakeService,
  refusal,
  type TestClientOptions,
  type TestEmulator,
  type TestEmulatorOptions,
} from '@emu/gateway/testing';
import { manifest } from '../src/manifest.ts';

export const ACCOUNT = '123456789012';
export const REGION = 'us-east-1';

const own = (serviceCode: string, code: string, name: string, defaultValue: AnyQuota['defaultValue'], more = {}) => ({
  serviceCode,
  code,
  name,
  defaultValue,
  adjustable: true,
  page: 'https://docs.aws.amazon.com/general/latest/gr/aws-service-information.html',
  own: true as const,
  ...more,
});

/** Usage of the counted quotas, set by `use`. */
const usage = { value: 0 };

/** A service that declares quotas of every kind. */
export const shop: ServiceManifest = {
  ...fakeService('shop', {}),
  quotas: async () => [
    own('dynamodb', 'L-F98FE922', 'Maximum number of tables', 2500, { usage: () => usage.value }),
    own('events', 'L-9B653E91', 'PutEvents throttle limit', (region: string) => (region === REGION ? 10_000 : 600), {
      period: PER_SECOND,
    }),
    own('iam', 'L-FE177D64', 'Roles per account', 1000, { global: true, usage: () => usage.value }),
    own('sqs', 'L-C491D5A4', 'In-flight messages per standard queue', 120_000, { adjustable: false }),
    own('vpc', 'L-0EA8095F', 'Inbound or outbound rules per security group', 60),
    own('vpc', 'L-2AEEBF1A', 'Security groups per network interface', 5),
    ...listedQuotas(
      { serviceCode: 'vpc', page: 'https://docs.aws.amazon.com/vpc/latest/userguide/amazon-vpc-limits.html' },
      [['L-8312C5BB', 'VPC peering connection request expiry hours', 168]],
    ),
  ],
  load: async () =>
    definePlugin({
      name: 'shop',
      model: (await fakeService('shop', {}).load()).model,
      stateScope: 'region',
      collections: [],
      createState: () => ({}),
      operations: [],
    }),
};

/** Test environment. Time passes only when the test advances it. */
export interface QuotasTest extends AsyncDisposable {
  readonly emulator: TestEmulator;
  /** Default account and region. */
  readonly quotas: ServiceQuotas;
  client(options?: TestClientOptions): ServiceQuotas;
  /** Sets the usage of the counted quotas in the default account and region. */
  use(number: number): Promise<void>;
  /** Requests an increase of DynamoDB's tables. @returns the request */
  ask(DesiredValue: number, more?: object): Promise<{ Id: string; Status: string }>;
  /** Calls a control route below `/_emulator/service-quotas/`. */
  control(method: string, path: string, body?: unknown): Promise<{ status: number; json: unknown }>;
  advance(milliseconds: number): Promise<void>;
}

/** The counted quota used by most tests. */
export const TABLES = { ServiceCode: 'dynamodb', QuotaCode: 'L-F98FE922' };

/** Starts an emulator with Service Quotas and optional further services. */
export async function startQuotas({
  manifests = [],
  requests = 'auto',
  ...options
}: TestEmulatorOptions & { requests?: 'auto' | 'manual' } = {}): Promise<QuotasTest> {
  const emulator = await createTestEmulator({
    manifests: [manifest, shop, ...manifests],
    settings: { accountId: ACCOUNT, region: REGION, values: { EMULATOR_QUOTA_REQUESTS: requests } },
    ...options,
  });
  emulator.kernel.clock.freeze();
  const client = (options?: TestClientOptions) => new ServiceQuotas(emulator.clientConfig(options));
  const quotas = client();
  return {
    emulator,
    quotas,
    client,
    async use(number) {
      usage.value = number;
      (await emulator.kernel.service('shop')).state(ACCOUNT, REGION);
    },
    async ask(DesiredValue, more = {}) {
      const { RequestedQuota } = await quotas.requestServiceQuotaIncrease({ ...TABLES, DesiredValue, ...more });
      return RequestedQuota as { Id: string; Status: string };
    },
    control: (method, path, body) => emulator.control(method as 'GET', `/_emulator/service-quotas/${path}`, body),
    advance: (milliseconds) => emulator.kernel.clock.advance(milliseconds),
    [Symbol.asyncDispose]: async () => {
      usage.value = 0;
      await emulator.close();
    },
  };
}

/** Returns code and message of a request that must fail without side effects, as `Code: message`. */
export async function failureOf(request: Promise<unknown>): Promise<string> {
  const { name, message } = await refusal(request);
  return `${name}: ${message}`;
}
