/** Who makes a request. */
export interface Principal {
  type: 'root' | 'user' | 'assumed-role' | 'federated-user' | 'service' | 'anonymous';
  accountId: string;
  /** E.g. `arn:aws:iam::123456789012:user/jane` or `arn:aws:sts::123456789012:assumed-role/app/session`. */
  arn: string;
  /** IAM's unique id, e.g. `AIDA…`, `AROA…:session`, or the account id for root. */
  userId: string;
  accessKeyId?: string;
}

/** An access key that IAM state knows, or the credentials of a session that STS handed out. */
export interface Credential {
  accessKeyId: string;
  secretAccessKey: string;
  /** Present for temporary credentials. */
  sessionToken?: string;
  /** Epoch milliseconds after which temporary credentials no longer verify. */
  expiresAt?: number;
  /** An inactive key identifies its account but does not verify. */
  active: boolean;
  principal: Omit<Principal, 'accessKeyId'>;
  /** When a long-term key was made, in epoch milliseconds. */
  createdAt?: number;
  /**
   * Made by the emulator itself, as by `create-admin`: where policies are enforced it may do everything, as long as IAM
   * does not know the user or role, whose policies decide otherwise.
   */
  administrator?: boolean;
  /** Facts of a session that policies and GetCallerIdentity need. */
  session?: {
    roleArn?: string;
    name: string;
    policies?: string[];
    policyArns?: string[];
    tags?: Record<string, string>;
    transitiveTagKeys?: string[];
    sourceIdentity?: string;
    /** ARN of the user who vouches for a federated user, or of the root user. */
    issuerArn?: string;
    /** Identity provider of a session of AssumeRoleWithSAML or AssumeRoleWithWebIdentity. */
    provider?: string;
    /** Condition keys that the identity provider's token gave the session, in lower case. */
    claims?: Record<string, string | string[]>;
    mfaAuthenticated?: boolean;
    /** Epoch milliseconds. */
    issuedAt: number;
  };
}

/** The latest request that was made with an access key or by a role. */
export interface CredentialUse {
  /** Epoch milliseconds. */
  at: number;
  /** Signing name of the service, e.g. `s3`. */
  service: string;
  region: string;
}

/** Credentials by access key id. IAM adds and removes long-term keys, STS and the metadata service sessions. */
export interface CredentialRegistry {
  get(accessKeyId: string): Credential | undefined;
  put(credential: Credential): void;
  delete(accessKeyId: string): void;
  /** Every credential of an account, or all. */
  list(accountId?: string): Iterable<Credential>;
  /** Remembers that a request was made with a key; nothing happens where the registry does not have it. */
  recordUse(accessKeyId: string, use: CredentialUse): void;
  /**
   * Says what is done with a key from now on: an invocation, by its id, which causes the requests that are made with the
   * key; undefined for nothing in particular.
   */
  act(accessKeyId: string, cause: string | undefined): void;
  /** What is done with a key; see `act`. */
  causeOf(accessKeyId: string | undefined): string | undefined;
  /** @param subject access key id of a long-term key, or ARN of the role of sessions */
  lastUse(subject: string): CredentialUse | undefined;
  /**
   * The latest request to each service that somebody made, by whatever key or session.
   * @param entity unique id of a user, account of a root user, or ARN of a role
   */
  lastUses(entity: string): Iterable<CredentialUse>;
  /** Forgets the uses of a role that is deleted; those of a key go with it. */
  forgetUse(subject: string): void;
}
