import { AwsError, awsError } from '@emu/wire';
import type { CallOptions, ServiceCaller } from '../calls/calls.ts';
import { coreCall, type GrantedOperation, type KeyDescription } from '../calls/core-calls.ts';
import { servicePrincipalName } from '../identity/service-principal.ts';
import { KeyUses } from './key-uses.ts';

/** Calls KMS: operation contexts, states and service handles do. */
export type KeyCaller = Pick<ServiceCaller, 'call'>;

/** What a service wants of KMS. */
export type KeyPurpose = 'encrypt' | 'decrypt' | 'describe';

/** A request to KMS that was refused. */
export interface RefusedKeyUse<Subject, Caller> {
  readonly purpose: KeyPurpose;
  /** What is encrypted. */
  readonly subject: Subject;
  readonly caller: Caller;
}

/** How a service uses the KMS keys of its customers. */
export interface CustomerKeyRules<Subject, Caller extends KeyCaller> {
  /** The service as its principal and the alias of its AWS managed key name it, e.g. `sqs`. */
  readonly service: string;
  /** Encryption context, by which KMS binds a ciphertext to what is encrypted. */
  context?(subject: Subject): Record<string, string> | undefined;
  /** As whom and where KMS is called; by default as the running operation's caller, whose permission is evaluated. */
  callOptions?(subject: Subject): CallOptions;
  /** The service's error for a refusal by KMS; KMS's own without it, or where it returns undefined. */
  refuse?(refusal: AwsError, use: RefusedKeyUse<Subject, Caller>): AwsError | undefined;
}

/** A data key as it is stored. */
export interface WrappedDataKey {
  /** ARN of the KMS key. */
  readonly keyArn: string;
  /** The data key, encrypted by KMS, in base64. */
  readonly dataKey: string;
}

/** A new data key. */
export interface DataKey extends WrappedDataKey {
  readonly plaintext: Uint8Array;
}

const base64 = (bytes: Uint8Array | undefined): string => Buffer.from(bytes!).toString('base64');

/**
 * The customers' keys of a service, which KMS keeps: encrypts and decrypts what the service stores, in the name of callers
 * or roles, with the service's own errors. A missing KMS (`NotImplemented`) is reported as such.
 * @see https://docs.aws.amazon.com/kms/latest/developerguide/service-integration.html
 */
export class CustomerKey<Subject = string, Caller extends KeyCaller = KeyCaller> {
  /** Alias of the key that AWS manages for the service in each account. */
  readonly managedAlias: string;
  /** Who may use keys without asking KMS again. */
  readonly uses = new KeyUses();

  constructor(private readonly rules: CustomerKeyRules<Subject, Caller>) {
    this.managedAlias = `alias/aws/${rules.service}`;
  }

  /** Whether a key id or ARN names the AWS managed key by its alias. */
  isManaged(keyId: string): boolean {
    return keyId === this.managedAlias || keyId.endsWith(`:${this.managedAlias}`);
  }

  /**
   * Makes a data key.
   * @param options as whom and where, instead of what the rules say
   * @throws AwsError the service's, for a key that cannot be used
   */
  async newDataKey(keyId: string, subject: Subject, caller: Caller, options?: CallOptions): Promise<DataKey> {
    const input = { KeyId: keyId, KeySpec: 'AES_256' as const, ...this.contextOf(subject) };
    const { KeyId, CiphertextBlob, Plaintext } = await this.ask('encrypt', subject, caller, () =>
      coreCall(caller)('kms', 'GenerateDataKey', input, options ?? this.optionsFor(subject)),
    );
    return { keyArn: KeyId!, dataKey: base64(CiphertextBlob), plaintext: Plaintext! };
  }

  /**
   * Makes a data key that only KMS can decrypt, which takes another permission than `newDataKey`.
   * @throws AwsError the service's, for a key that cannot be used
   */
  async newWrappedDataKey(keyId: string, subject: Subject, caller: Caller): Promise<WrappedDataKey> {
    const input = { KeyId: keyId, KeySpec: 'AES_256' as const, ...this.contextOf(subject) };
    const { KeyId, CiphertextBlob } = await this.ask('encrypt', subject, caller, () =>
      coreCall(caller)('kms', 'GenerateDataKeyWithoutPlaintext', input, this.optionsFor(subject)),
    );
    return { keyArn: KeyId!, dataKey: base64(CiphertextBlob) };
  }

  /**
   * Encrypts up to 4,096 bytes with the KMS key itself.
   * @returns the ciphertext in base64
   * @throws AwsError the service's, for a key that cannot be used
   */
  async encrypt(keyId: string, plaintext: Uint8Array, subject: Subject, caller: Caller): Promise<string> {
    const input = { KeyId: keyId, Plaintext: plaintext, ...this.contextOf(subject) };
    const { CiphertextBlob } = await this.ask('encrypt', subject, caller, () =>
      coreCall(caller)('kms', 'Encrypt', input, this.optionsFor(subject)),
    );
    return base64(CiphertextBlob);
  }

  /**
   * Decrypts a data key, or what `encrypt` returned.
   * @param stored `dataKey` in base64; `under` is the KMS key that must have encrypted it, by default any
   * @param options as whom and where, instead of what the rules say
   * @throws AwsError the service's, for a key that cannot be used
   */
  async decrypt(
    { dataKey, under }: { readonly dataKey: string; readonly under?: string | undefined },
    subject: Subject,
    caller: Caller,
    options?: CallOptions,
  ): Promise<Uint8Array> {
    const input = {
      CiphertextBlob: Buffer.from(dataKey, 'base64'),
      ...(under !== undefined && { KeyId: under }),
      ...this.contextOf(subject),
    };
    const { Plaintext } = await this.ask('decrypt', subject, caller, () =>
      coreCall(caller)('kms', 'Decrypt', input, options ?? this.optionsFor(subject)),
    );
    return Plaintext!;
  }

  /**
   * Returns KMS's description of a key. Callers need no permission for it.
   * @throws AwsError the service's, for an unknown key
   */
  async describe(keyId: string, subject: Subject, caller: Caller, options?: CallOptions): Promise<KeyDescription> {
    const { KeyMetadata } = await this.ask('describe', subject, caller, () =>
      coreCall(caller)('kms', 'DescribeKey', { KeyId: keyId }, options),
    );
    return KeyMetadata!;
  }

  /**
   * Grants operations with a key to the service.
   * @throws AwsError the service's, for a key that cannot be used
   */
  async grant(keyId: string, operations: readonly GrantedOperation[], subject: Subject, caller: Caller): Promise<void> {
    const GranteePrincipal = servicePrincipalName(this.rules.service);
    const input = { KeyId: keyId, GranteePrincipal, Operations: [...operations] };
    await this.ask('encrypt', subject, caller, () =>
      coreCall(caller)('kms', 'CreateGrant', input, this.optionsFor(subject)),
    );
  }

  private contextOf(subject: Subject): { EncryptionContext?: Record<string, string> } {
    const context = this.rules.context?.(subject);
    return context ? { EncryptionContext: context } : {};
  }

  private optionsFor(subject: Subject): CallOptions {
    return this.rules.callOptions?.(subject) ?? { authorize: {} };
  }

  private async ask<Output>(
    purpose: KeyPurpose,
    subject: Subject,
    caller: Caller,
    call: () => Promise<Output>,
  ): Promise<Output> {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof AwsError) || error.code === 'NotImplemented') throw error;
      throw this.rules.refuse?.(error, { purpose, subject, caller }) ?? error;
    }
  }
}

/**
 * Returns the `refuse` of a service that renames KMS's errors and keeps their messages.
 * @param codes the service's codes by KMS's; other errors stay as they are
 */
export const renameRefusals =
  (codes: Readonly<Record<string, string>>) =>
  ({ code, message }: AwsError): AwsError | undefined =>
    codes[code] === undefined ? undefined : awsError(codes[code], message);

/** `refuse` of the services that put `KMS` before KMS's codes. */
export const prefixRefusals = renameRefusals({
  AccessDeniedException: 'KMSAccessDeniedException',
  DisabledException: 'KMSDisabledException',
  InvalidKeyUsageException: 'KMSInvalidStateException',
  KMSInvalidStateException: 'KMSInvalidStateException',
  NotFoundException: 'KMSNotFoundException',
});
