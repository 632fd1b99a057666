import type { CallOptions, Principal } from '@emu/core/service';
import { AwsError } from '@emu/wire';
import type { LambdaState } from '../state.ts';
import type { ExtensionSettings } from './settings.ts';

/** Response of the extension. */
export interface ExtensionAnswer {
  readonly status: number;
  readonly body: string;
}

const PARAMETER = /^\/systemsmanager\/parameters\/get\/?$/;
const SECRET = /^\/secretsmanager\/get\/?$/;

const problem = (status: number, body: string): ExtensionAnswer => ({ status, body });

/** A requested parameter or secret. */
interface Wanted {
  readonly key: string;
  /** Cache lifetime in milliseconds. */
  readonly ttl: number;
  read(options: CallOptions): Promise<object>;
}

/**
 * The AWS Parameters and Secrets Lambda Extension of one execution environment: reads parameters and secrets with the
 * function's role, and caches them.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/retrieving-secrets_lambda.html
 */
export class ParametersExtension {
  private readonly cache = new Map<string, { readonly body: string; readonly until: number }>();
  /** Id of the current invocation. */
  private requestId: string | undefined;

  /**
   * @param token required in requests: the session token of the environment
   * @param principal the function's role
   * @param log receives lines for the function's log
   */
  constructor(
    private readonly state: LambdaState,
    readonly settings: ExtensionSettings,
    readonly token: string,
    private readonly principal: Omit<Principal, 'accessKeyId'>,
    private readonly log: (line: string) => void,
  ) {}

  /** Notifies the extension of the start and the end of an invocation. */
  during(requestId: string | undefined): void {
    this.requestId = requestId;
  }

  /** Handles an authenticated request. Never rejects. */
  async answer({ pathname, searchParams }: URL): Promise<ExtensionAnswer> {
    if (this.requestId === undefined) return problem(400, 'not ready to serve traffic, please wait');
    const wanted = this.wanted(pathname, searchParams);
    if ('status' in wanted) return wanted;
    const { clock, accountId, region } = this.state;
    const known = this.cache.get(wanted.key);
    if (known && known.until > clock.now()) {
      // The last entry is the most recently used.
      this.cache.delete(wanted.key);
      this.cache.set(wanted.key, known);
      return { status: 200, body: known.body };
    }
    try {
      const { principal, requestId: cause } = this;
      const read = await wanted.read({ accountId, region, principal, authorize: {}, cause });
      const body = JSON.stringify({ ...read, ResultMetadata: {} });
      this.keep(wanted, body);
      return { status: 200, body };
    } catch (error) {
      const words = error instanceof AwsError ? `${error.code}: ${error.message}` : (error as Error).message;
      if (this.settings.logs) this.log(`ERROR ${pathname} request encountered an error: ${words}`);
      return problem(400, 'an unexpected error occurred while executing request');
    }
  }

  private keep({ key, ttl }: Wanted, body: string): void {
    const { cacheSize } = this.settings;
    this.cache.delete(key);
    if (ttl === 0 || cacheSize === 0) return;
    if (this.cache.size >= cacheSize) this.cache.delete(this.cache.keys().next().value!);
    this.cache.set(key, { body, until: this.state.clock.now() + ttl });
  }

  private wanted(path: string, query: URLSearchParams): Wanted | ExtensionAnswer {
    if (PARAMETER.test(path)) return this.parameter(query);
    if (SECRET.test(path)) return this.secret(query);
    return problem(404, 'not found');
  }

  private parameter(query: URLSearchParams): Wanted | ExtensionAnswer {
    const name = query.get('name') ?? '';
    const [version, label] = [query.get('version') ?? '', query.get('label') ?? ''];
    if (name === '') return problem(400, 'name is required');
    if (version !== '' && label !== '') return problem(400, 'version and label cannot be given together');
    const selector = version || label;
    const Name = selector === '' ? name : `${name}:${selector}`;
    const WithDecryption = query.get('withDecryption')?.toLowerCase() === 'true';
    return {
      key: JSON.stringify(['parameter', Name, WithDecryption]),
      ttl: this.settings.parameterTtl,
      read: async (options) => {
        const { Parameter } = await this.state.call('ssm', 'GetParameter', { Name, WithDecryption }, options);
        return { Parameter: { Selector: null, SourceResult: null, ...Parameter } };
      },
    };
  }

  private secret(query: URLSearchParams): Wanted | ExtensionAnswer {
    const SecretId = query.get('secretId') ?? '';
    if (SecretId === '') return problem(400, 'secretId is required');
    const VersionId = query.get('versionId') || undefined;
    const VersionStage = query.get('versionStage') || undefined;
    return {
      key: JSON.stringify(['secret', SecretId, VersionId, VersionStage]),
      ttl: this.settings.secretTtl,
      read: async (options) => {
        const input = { SecretId, VersionId, VersionStage };
        const { SecretBinary: bytes = null, ...secret } = await this.state.call(
          'secretsmanager',
          'GetSecretValue',
          input,
          options,
        );
        const SecretBinary = bytes && Buffer.from(bytes).toString('base64');
        return { SecretString: null, ...secret, SecretBinary };
      },
    };
  }
}
