import { awsEndpointFunctions } from '@aws-sdk/core/client';
import { customEndpointFunctions, EndpointError, resolveEndpoint } from '@smithy/core/endpoints';
import type { AwsService } from './aws-services.ts';

customEndpointFunctions.aws = awsEndpointFunctions;

/** A scheme of signatures that an endpoint accepts. */
export interface AuthScheme {
  readonly name: string;
  readonly signingName?: string;
  readonly signingRegion?: string;
  readonly signingRegionSet?: readonly string[];
}

/** An endpoint of AWS. */
export interface Endpoint {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly authSchemes: readonly AuthScheme[];
}

/** Which endpoints a user wants, as in the SDKs' configuration. */
export interface EndpointChoice {
  readonly fips: boolean;
  readonly dualStack: boolean;
}

/** A request for which AWS has no endpoint, e.g. in a region without FIPS. */
export class NoEndpoint extends Error {
  override readonly name = 'NoEndpoint';
}

/** Maximum number of cached endpoints. */
const MAX_CACHED = 1000;

/** Finds the endpoints of services by the rule sets of the SDKs. */
export class Endpoints {
  private readonly cached = new Map<string, Endpoint>();

  constructor(private readonly choice: EndpointChoice) {}

  /**
   * Returns the endpoint of an operation.
   * @param parameters of the rule set that the operation sets, such as `Bucket`
   * @throws NoEndpoint if the rule set refuses the parameters
   */
  of(service: AwsService, region: string, parameters: Readonly<Record<string, unknown>>): Endpoint {
    const { ruleSet } = service;
    const known = Object.keys(ruleSet.parameters);
    const all: Record<string, unknown> = {
      Region: region,
      UseFIPS: this.choice.fips,
      UseDualStack: this.choice.dualStack,
      ...parameters,
    };
    const given = Object.fromEntries(known.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]])));
    const key = `${service.name} ${JSON.stringify(given)}`;
    let endpoint = this.cached.get(key);
    if (!endpoint) {
      endpoint = resolve(service, given);
      if (this.cached.size >= MAX_CACHED) this.cached.clear();
      this.cached.set(key, endpoint);
    }
    return endpoint;
  }
}

type SmithyRuleSet = Parameters<typeof resolveEndpoint>[0];
type SmithyParameters = Parameters<typeof resolveEndpoint>[1]['endpointParams'];

function resolve(service: AwsService, parameters: Record<string, unknown>): Endpoint {
  try {
    const { url, headers, properties } = resolveEndpoint(service.ruleSet as unknown as SmithyRuleSet, {
      endpointParams: parameters as SmithyParameters,
    });
    return {
      url,
      headers: Object.fromEntries(Object.entries(headers ?? {}).map(([name, values]) => [name, values.join(', ')])),
      authSchemes: (properties?.authSchemes ?? []) as unknown as AuthScheme[],
    };
  } catch (error) {
    if (error instanceof EndpointError) throw new NoEndpoint(error.message, { cause: error });
    throw error;
  }
}
