import type { Timestamp } from '@emu/wire';
import type { CallOptions, ServiceCaller } from './calls.ts';

interface Encrypted {
  EncryptionContext?: Record<string, string>;
}

interface DataKeyInput extends Encrypted {
  KeyId: string;
  KeySpec: 'AES_256';
}

interface DataKeyOutput {
  KeyId?: string | undefined;
  CiphertextBlob?: Uint8Array | undefined;
}

/** A key as DescribeKey of KMS returns it. */
export interface KeyDescription {
  Arn?: string | undefined;
  Enabled?: boolean | undefined;
  KeyState?: string | undefined;
  KeySpec?: string | undefined;
  KeyUsage?: string | undefined;
  KeyManager?: string | undefined;
}

/** An operation that a grant of KMS permits. */
export type GrantedOperation = 'Decrypt' | 'DescribeKey' | 'Encrypt' | 'GenerateDataKey';

/** Request for a session of a role. */
export interface AssumeRoleInput {
  RoleArn: string;
  RoleSessionName: string;
  /** Seconds. */
  DurationSeconds?: number;
  ExternalId?: string;
  Policy?: string;
}

/** A session of a role. */
export interface AssumedRole {
  Credentials?:
    | { AccessKeyId: string; SecretAccessKey: string; SessionToken: string; Expiration: Timestamp }
    | undefined;
  AssumedRoleUser?: { Arn: string; AssumedRoleId: string } | undefined;
}

/**
 * Operations that core calls on behalf of services, with the members that it uses. core does not depend on the
 * generated types of these services; `integration/test/core` compares both.
 */
export interface CoreCalls {
  kms: {
    CreateGrant: {
      input: { KeyId: string; GranteePrincipal: string; Operations: GrantedOperation[] };
      output: unknown;
    };
    Decrypt: {
      input: Encrypted & { KeyId?: string; CiphertextBlob: Uint8Array };
      output: { Plaintext?: Uint8Array | undefined };
    };
    DescribeKey: { input: { KeyId: string }; output: { KeyMetadata?: KeyDescription | undefined } };
    Encrypt: {
      input: Encrypted & { KeyId: string; Plaintext: Uint8Array };
      output: { CiphertextBlob?: Uint8Array | undefined };
    };
    GenerateDataKey: {
      input: DataKeyInput;
      output: DataKeyOutput & { Plaintext?: Uint8Array | undefined };
    };
    GenerateDataKeyWithoutPlaintext: { input: DataKeyInput; output: DataKeyOutput };
  };
  sts: { AssumeRole: { input: AssumeRoleInput; output: AssumedRole } };
}

type Call = <Service extends keyof CoreCalls, Operation extends keyof CoreCalls[Service]>(
  service: Service,
  operation: Operation,
  input: CoreCalls[Service][Operation] extends { input: infer Input } ? Input : never,
  options?: CallOptions,
) => Promise<CoreCalls[Service][Operation] extends { output: infer Output } ? Output : never>;

/** Types `caller.call` by the operations that core calls. */
export const coreCall = (caller: Pick<ServiceCaller, 'call'>): Call =>
  ((...call: Parameters<ServiceCaller['call']>) => caller.call(...call)) as Call;
