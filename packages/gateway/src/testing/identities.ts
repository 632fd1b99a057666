import {
  type AttachedPolicy,
  definePlugin,
  type Identity,
  identityDirectory,
  issueSession,
  type Principal,
  provide,
  roleSessionPrincipal,
  type ServiceManifest,
} from '@emu/core/service';
import type { ServiceModel } from '@emu/wire';
import type { TestClientOptions, TestEmulator } from './emulator.ts';
import { manifestOf } from './emulator.ts';

/** A statement of a policy, in the grammar of IAM. */
export type PolicyStatement = Readonly<Record<string, unknown>>;

/** Permissions of a user or role of a test. */
export interface TestIdentity {
  accountId?: string;
  /** Statements of its one policy. */
  may?: readonly PolicyStatement[];
  /** Statements of its permissions boundary. */
  boundary?: readonly PolicyStatement[];
  tags?: Record<string, string>;
  /** Statements of a role's trust policy. */
  trusts?: readonly PolicyStatement[];
}

const ACCOUNT = '123456789012';

/** Returns the JSON text of a policy. */
export const policyText = (statements: readonly PolicyStatement[]): string =>
  JSON.stringify({ Version: '2012-10-17', Statement: statements });

const attached = (id: string, statements: readonly PolicyStatement[]): AttachedPolicy => ({
  id,
  document: policyText(statements),
});

/** An empty model of IAM. */
const model: ServiceModel = {
  service: 'iam',
  source: { botocore: '0', path: 'none' },
  metadata: {
    apiVersion: '2010-05-08',
    endpointPrefix: 'iam',
    signingName: 'iam',
    serviceId: 'IAM',
    protocols: ['awsQuery'],
    xmlNamespace: { uri: 'https://iam.amazonaws.com/doc/2010-05-08/' },
  },
  operations: {},
  shapes: {},
};

/**
 * Users and roles for tests of permissions, instead of IAM. Pass `manifest` to the emulator and set
 * `EMULATOR_ENFORCE_IAM`.
 */
export class TestIdentities {
  readonly manifest: ServiceManifest;
  private readonly identities = new Map<string, Identity>();
  private readonly policies = new Map<string, AttachedPolicy>();

  constructor() {
    const { identities, policies } = this;
    this.manifest = manifestOf(
      definePlugin<object, undefined>({
        name: 'iam',
        model,
        stateScope: 'account',
        collections: [],
        operations: [],
        provides: [
          provide(identityDirectory, () => ({
            identity: (arn) => identities.get(arn),
            managedPolicy: (arn) => policies.get(arn),
          })),
        ],
      }),
    );
  }

  /** Creates a managed policy. @returns its ARN */
  policy(name: string, statements: readonly PolicyStatement[]): string {
    const arn = `arn:aws:iam::${ACCOUNT}:policy/${name}`;
    this.policies.set(arn, { ...attached(name, statements), arn });
    return arn;
  }

  /** Creates or changes a user. @returns options of its client */
  user(emulator: TestEmulator, name: string, identity: TestIdentity = {}): TestClientOptions {
    const { accountId = ACCOUNT } = identity;
    const arn = `arn:aws:iam::${accountId}:user/${name}`;
    const userId = `AIDA${name.toUpperCase()}`;
    this.add(arn, userId, identity);
    const accessKeyId = `AKIA${accountId}${name.toUpperCase()}`;
    const principal: Omit<Principal, 'accessKeyId'> = { type: 'user', accountId, arn, userId };
    emulator.kernel.credentials.put({ accessKeyId, secretAccessKey: 'secret', active: true, principal });
    return { accessKeyId, secretAccessKey: 'secret' };
  }

  /** Creates or changes a role. @returns its ARN */
  role(name: string, identity: TestIdentity = {}): string {
    const arn = `arn:aws:iam::${identity.accountId ?? ACCOUNT}:role/${name}`;
    this.add(arn, `AROA${name.toUpperCase()}`, identity);
    return arn;
  }

  /** Creates a session of a role, as AssumeRole does. @returns options of its client */
  session(emulator: TestEmulator, roleArn: string, name = 'test'): TestClientOptions {
    const session = issueSession(emulator.kernel, roleSessionPrincipal(roleArn, name), 3600, { roleArn, name });
    const { accessKeyId, secretAccessKey, sessionToken } = session;
    return { accessKeyId, secretAccessKey, sessionToken };
  }

  private add(arn: string, uniqueId: string, { may = [], boundary, tags = {}, trusts }: TestIdentity): void {
    this.identities.set(arn, {
      arn,
      uniqueId,
      policies: [attached('inline', may)],
      boundary: boundary && attached('boundary', boundary),
      tags,
      ...(trusts && { trustPolicy: policyText(trusts) }),
    });
  }
}
