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
  /** Facts of a session that policies and GetCallerIdentity need. */
  session?: {
    roleArn?: string;
    name: string;
    policies?: string[];
    policyArns?: string[];
    tags?: Record<string, string>;
    transitiveTagKeys?: string[];
    sourceIdentity?: string;
    mfaAuthenticated?: boolean;
    /** Epoch milliseconds. */
    issuedAt: number;
  };
}

/** Credentials by access key id. IAM adds and removes long-term keys, STS and the metadata service sessions. */
export interface CredentialRegistry {
  get(accessKeyId: string): Credential | undefined;
  put(credential: Credential): void;
  delete(accessKeyId: string): void;
  /** Every credential of an account, or all. */
  list(accountId?: string): Iterable<Credential>;
}
