/** The caller of a request. */
export interface Principal {
  type: 'root' | 'user' | 'assumed-role' | 'federated-user' | 'service' | 'anonymous';
  accountId: string;
  /** E.g. `arn:aws:iam::123456789012:user/jane` or `arn:aws:sts::123456789012:assumed-role/app/session`. */
  arn: string;
  /** IAM's unique id, e.g. `AIDA…`, `AROA…:session`, or the account id for root. */
  userId: string;
  accessKeyId?: string;
}

/** An access key of IAM, or the credentials of a session from STS. */
export interface Credential {
  accessKeyId: string;
  secretAccessKey: string;
  /** Present for temporary credentials. */
  sessionToken?: string;
  /** Epoch milliseconds at which temporary credentials expire. */
  expiresAt?: number;
  /** An inactive key identifies its account but does not verify. */
  active: boolean;
  principal: Omit<Principal, 'accessKeyId'>;
  /** Creation time of a long-term key, in epoch milliseconds. */
  createdAt?: number;
  /**
   * Created by the emulator itself, as by `create-admin`: with enforced policies it may do everything, unless its user
   * or role exists in IAM, whose policies then decide.
   */
  administrator?: boolean;
  /** Properties of a session for policies and GetCallerIdentity. */
  session?: {
    roleArn?: string;
    name: string;
    policies?: string[];
    policyArns?: string[];
    tags?: Record<string, string>;
    transitiveTagKeys?: string[];
    sourceIdentity?: string;
    /** ARN of the user, or of the root user, who requested a federated user's session. */
    issuerArn?: string;
    /** Identity provider of a session of AssumeRoleWithSAML or AssumeRoleWithWebIdentity. */
    provider?: string;
    /** Condition keys from the identity provider's token, in lower case. */
    claims?: Record<string, string | string[]>;
    mfaAuthenticated?: boolean;
    /** Service that assumed the role, e.g. `access-grants.s3.amazonaws.com`. */
    service?: string;
    /** Epoch milliseconds. */
    issuedAt: number;
  };
}

/** The latest request with an access key or by a role. */
export interface CredentialUse {
  /** Epoch milliseconds. */
  at: number;
  /** Signing name of the service, e.g. `s3`. */
  service: string;
  region: string;
}

/** Credentials by access key id. IAM adds and removes long-term keys; STS and the metadata service add sessions. */
export interface CredentialRegistry {
  get(accessKeyId: string): Credential | undefined;
  put(credential: Credential): void;
  delete(accessKeyId: string): void;
  /** Returns the credentials of an account, or all. */
  list(accountId?: string): Iterable<Credential>;
  /** Records the use of a key; has no effect for an unknown key. */
  recordUse(accessKeyId: string, use: CredentialUse): void;
  /** Sets the cause of requests made with a key: the id of an invocation, or undefined for none. */
  act(accessKeyId: string, cause: string | undefined): void;
  /** Returns the cause of requests made with a key; see `act`. */
  causeOf(accessKeyId: string | undefined): string | undefined;
  /** @param subject access key id of a long-term key, or ARN of the role of sessions */
  lastUse(subject: string): CredentialUse | undefined;
  /**
   * Returns an entity's latest request to each service, with any key or session.
   * @param entity unique id of a user, account of a root user, or ARN of a role
   */
  lastUses(entity: string): Iterable<CredentialUse>;
  /** Removes the recorded uses of a deleted role; those of a key are removed with the key. */
  discardUse(subject: string): void;
}
