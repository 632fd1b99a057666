import type { Operation } from './operations.ts';
import { RestOperations } from './operations.ts';

/** A rule set of endpoints, as the SDKs evaluate it. */
export interface RuleSet {
  readonly version: string;
  readonly parameters: Readonly<Record<string, { readonly builtIn?: string }>>;
  readonly rules: readonly unknown[];
}

/** Facts of a service in the file of all services. */
interface ServiceFacts {
  signingName: string;
  /** Label in its host names. */
  host: string;
  /** Prefix of its endpoints in the rule set. */
  prefix?: string;
  ruleSet: number;
  target?: string;
  /** API version of the query protocols. */
  version?: string;
  /** Method and URI of REST operations, of services that emu does not have. */
  operations?: Record<string, string>;
  hostPrefixes?: Record<string, string>;
  /** Parameters of the rule set by operation: `=value`, or the name of an input member. */
  context?: Record<string, Record<string, string>>;
}

interface Facts {
  ruleSets: RuleSet[];
  services: Record<string, ServiceFacts>;
}

/** Stands for the prefix of a service's endpoints in rule sets that services share. */
const PREFIX = '@@';

/** A service of AWS. */
export class AwsService {
  private rest: RestOperations | undefined;
  private rules: RuleSet | undefined;

  constructor(
    /** Botocore's name, e.g. `bedrock-runtime`. */
    readonly name: string,
    private readonly facts: ServiceFacts,
    private readonly ruleSets: readonly RuleSet[],
  ) {}

  get signingName(): string {
    return this.facts.signingName;
  }

  get host(): string {
    return this.facts.host;
  }

  get target(): string | undefined {
    return this.facts.target;
  }

  get version(): string | undefined {
    return this.facts.version;
  }

  /** The rule set of its endpoints. */
  get ruleSet(): RuleSet {
    if (!this.rules) {
      const shared = this.ruleSets[this.facts.ruleSet]!;
      const { prefix } = this.facts;
      this.rules =
        prefix === undefined ? shared : (JSON.parse(JSON.stringify(shared).replaceAll(PREFIX, prefix)) as RuleSet);
    }
    return this.rules;
  }

  /** Whether it has REST operations in the file. */
  get hasRestOperations(): boolean {
    return this.facts.operations !== undefined;
  }

  /** Returns the REST operation of a request; undefined for none, and for services that emu has. */
  restOperation(method: string, path: string, query: string): Operation | undefined {
    if (!this.facts.operations) return undefined;
    this.rest ??= new RestOperations(this.facts.operations);
    return this.rest.find(method, path, query);
  }

  /** Template of labels before the host of an operation, e.g. `data-`. */
  hostPrefix(operation: string): string | undefined {
    return this.facts.hostPrefixes?.[operation];
  }

  /**
   * Returns the parameters of the rule set that an operation sets.
   * @param input the decoded input
   */
  parameters(operation: string, input: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const context = this.facts.context?.[operation] ?? {};
    return Object.fromEntries(
      Object.entries(context).flatMap(([name, source]): [string, unknown][] => {
        if (!source.startsWith('=')) return input[source] === undefined ? [] : [[name, input[source]]];
        const value = source.slice(1);
        return [[name, value === 'true' ? true : value === 'false' ? false : value]];
      }),
    );
  }
}

/** All services of AWS. */
export class AwsServices {
  private readonly byName = new Map<string, AwsService>();
  private readonly bySigningName = new Map<string, AwsService[]>();

  private constructor({ ruleSets, services }: Facts) {
    for (const [name, facts] of Object.entries(services)) {
      const service = new AwsService(name, facts, ruleSets);
      this.byName.set(name, service);
      const sharing = this.bySigningName.get(facts.signingName);
      if (sharing) sharing.push(service);
      else this.bySigningName.set(facts.signingName, [service]);
    }
  }

  /** Loads the file of all services: about a megabyte. */
  static async load(): Promise<AwsServices> {
    const { default: facts } = await import('../model/aws-services.json', { with: { type: 'json' } });
    return new AwsServices(facts as unknown as Facts);
  }

  /** Returns a service by botocore's name. */
  named(name: string): AwsService | undefined {
    return this.byName.get(name);
  }

  /** Names of all services, in order. */
  get names(): string[] {
    return [...this.byName.keys()];
  }

  /** Returns the services with a signing name. */
  signedAs(signingName: string): readonly AwsService[] {
    return this.bySigningName.get(signingName) ?? [];
  }

  /** Returns the services that are a name's: the service, or all that sign with it or begin with it, as `bedrock-runtime`. */
  family(name: string): readonly AwsService[] {
    return [...this.byName.values()].filter(
      (service) => service.name === name || service.signingName === name || service.name.startsWith(`${name}-`),
    );
  }
}
