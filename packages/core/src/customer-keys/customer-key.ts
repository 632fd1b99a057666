import { AwsError, awsError } from '@emu/wire';
import type { CallOptions, ServiceCaller } from '../calls/calls.ts';
import { coreCall, type GrantedOperation, type KeyDescription } from '../calls/core-calls.ts';
import { servicePrincipalName } from '../identity/service-principal.ts';
import { KeyUses } from './key-uses.ts';

/** Calls KMS; implemented by operation contexts, states and service handles. */
export type KeyCaller = Pick<ServiceCaller, 'call'>;

/** A service's use of KMS. */
export type KeyPurpose = 'encrypt' | 'decrypt' | 'describe';

/** A request that KMS rejected. */
export interface RefusedKeyUse<Subject, Caller> {
  readonly purpose: KeyPurpose;
  /** The encrypted object. */
  readonly subject: Subject;
  readonly caller: Caller;
}

/** A service's rules for the KMS keys of its customers. */
export interface CustomerKeyRules<Subject, Caller extends KeyCaller> {
  /** The service's name in its principal and in the alias of its AWS managed key, e.g. `sqs`. */
  readonly service: string;
  /** Returns the encryption context, which binds a ciphertext to the encrypted object. */
  context?(subject: Subject): Record<string, string> | undefined;
  /**
   * Returns caller and place of the call to KMS; by default the running operation's caller, whose permission is
   * checked.
   */
  callOptions?(subject: Subject): CallOptions;
  /**
   * Returns the service's error for KMS's rejection; KMS's own error is used without this function, or if it returns
   * undefined.
   */
  refuse?(refusal: AwsError, use: RefusedKeyUse<Subject, Caller>): AwsError | undefined;
}

/** A stored data key. */
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
 * The customers' KMS keys of a service: encrypts and decrypts what the service stores, on behalf of callers or roles,
 * with the service's own errors. A missing KMS (`NotImplemented`) is reported as such.
 * @see https://docs.aws.amazon.com/kms/latest/developerguide/service-integration.html
 */
export class CustomerKey<Subject = string, Caller extends KeyCaller = KeyCaller> {
  /** Alias of the key that AWS manages for the service in each account. */
  readonly managedAlias: string;
  /** Permitted uses of keys that need no further call of KMS. */
  readonly uses = new KeyUses();

  constructor(private readonly rules: CustomerKeyRules<Subject, Caller>) {
    this.managedAlias = `alias/aws/${rules.service}`;
  }

  /** Whether a key id or ARN names the AWS managed key by its alias. */
  isManaged(keyId: string): boolean {
    return keyId === this.managedAlias || keyId.endsWith(`:${this.managedAlias}`);
  }

  /**
   * Creates a data key.
   * @param options caller and place, instead of those of the rules
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
   * Creates a data key that only KMS can decrypt, which requires another permission than `newDataKey`.
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
   * Decrypts a data key, or a result of `encrypt`.
   * @param stored `dataKey` in base64; `under` is the required KMS key, by default any
   * @param options caller and place, instead of those of the rules
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
 * @param codes the service's codes by KMS's; other errors are unchanged
 */
export const renameRefusals =
  (codes: Readonly<Record<string, string>>) =>
  ({ code, message }: AwsError): AwsError | undefined =>
    codes[code] === undefined ? undefined : awsError(codes[code], message);

/** `refuse` of the services that prefix KMS's codes with `KMS`. */
export const prefixRefusals = renameRefusals({
  AccessDeniedException: 'KMSAccessDeniedException',
  DisabledException: 'KMSDisabledException',
  InvalidKeyUsageException: 'KMSInvalidStateException',
  KMSInvalidStateException: 'KMSInvalidStateException',
  NotFoundException: 'KMSNotFoundException',
});
