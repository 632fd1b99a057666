import { defaultProvider } from '@aws-sdk/credential-provider-node';
import { isObject } from '@emu/wire';

/** Credentials of AWS. */
export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

/** Missing credentials: a sentence for the user. */
export class NoCredentials extends Error {
  override readonly name = 'NoCredentials';
}

/** Provides the user's credentials, renewed before they expire. */
export type CredentialProvider = () => Promise<AwsCredentials>;

/** Maximum number of remembered credentials. */
const MAX_REMEMBERED = 1000;

/**
 * Returns the provider of the user's own credentials from the standard chain: environment, SSO, web identity, profiles,
 * processes, and the metadata of containers and instances.
 */
export function ownCredentials(): CredentialProvider {
  const provider = defaultProvider();
  return async () => {
    let found: AwsCredentials;
    try {
      found = await provider();
    } catch (error) {
      const cause = error instanceof Error ? error.message : String(error);
      throw new NoCredentials(
        `AWS credentials are needed, and none were found: ${cause}. Set AWS_PROFILE, or run aws sso login or aws configure.`,
        { cause: error },
      );
    }
    if (found.accessKeyId === 'test' || /^\d{12}$/.test(found.accessKeyId))
      throw new NoCredentials(
        `AWS credentials are needed, and ${found.accessKeyId} is a key that only emulators accept. Unset AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or set AWS_PROFILE.`,
      );
    return found;
  };
}

/**
 * Credentials by access key id: those that earlier responses contained, such as those of AssumeRole. They are in memory only.
 */
export class IssuedCredentials {
  private readonly issued = new Map<string, AwsCredentials>();

  /** Returns the credentials of an access key id; undefined for one that no response contained. */
  of(accessKeyId: string): AwsCredentials | undefined {
    return this.issued.get(accessKeyId);
  }

  /** Remembers the credentials in a decoded output, at most three levels deep. @returns those found */
  remember(output: unknown, depth = 0): AwsCredentials[] {
    if (!isObject(output) || depth > 3) return [];
    const found = credentialsIn(output);
    if (found) {
      if (this.issued.size >= MAX_REMEMBERED) this.issued.delete(this.issued.keys().next().value!);
      this.issued.set(found.accessKeyId, found);
      return [found];
    }
    return Object.values(output).flatMap((value) => this.remember(value, depth + 1));
  }
}

/** Returns the credentials that an object is, in the spellings of STS, IAM, Cognito and SSO. */
function credentialsIn(members: Record<string, unknown>): AwsCredentials | undefined {
  const text = (...names: string[]): string | undefined =>
    names.map((name) => members[name]).find((value): value is string => typeof value === 'string' && value !== '');
  const accessKeyId = text('AccessKeyId', 'accessKeyId');
  const secretAccessKey = text('SecretAccessKey', 'SecretKey', 'secretAccessKey');
  if (accessKeyId === undefined || secretAccessKey === undefined) return undefined;
  return { accessKeyId, secretAccessKey, sessionToken: text('SessionToken', 'sessionToken') };
}
