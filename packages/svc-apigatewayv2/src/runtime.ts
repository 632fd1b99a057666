import { TimedCache } from '@emu/apigateway-common';
import { metricsOf, type RegionMetrics, TokenBuckets } from '@emu/core/service';
import { KeySets } from './authorizers/key-sets.ts';
import type { AuthorizerVerdict } from './authorizers/verdict.ts';
import type { StageSource } from './registry.ts';
import { newCapture } from './runtime/capture.ts';
import { CompiledStage } from './runtime/compiled-stage.ts';
import { Connections } from './websocket/connections.ts';

/** Maximum number of cached authorizer results of an account and region. */
const MAX_VERDICTS = 10_000;

/** Runtime state of an account's APIs in a region, including caches. It is not persisted. */
export class Runtime {
  /** Authorizer results by API, stage, authorizer and identity. */
  readonly verdicts = new TimedCache<AuthorizerVerdict>(MAX_VERDICTS);
  readonly throttles = new TokenBuckets();
  /** Recent requests to HTTP APIs. */
  readonly captured = newCapture();
  readonly keySets: KeySets;
  readonly connections: Connections;
  private readonly stages = new Map<string, Map<string, CompiledStage>>();

  constructor(private readonly state: StageSource) {
    this.connections = new Connections(state);
    this.keySets = new KeySets(state.service);
  }

  /** Metrics of the account and region; undefined if no service reports them. */
  get metrics(): RegionMetrics | undefined {
    return metricsOf(this.state.service, this.state.accountId, this.state.region);
  }

  /** Returns a stage prepared to serve; undefined if it is unknown or nothing is deployed. */
  stage(apiId: string, name: string): CompiledStage | undefined {
    const known = this.stages.get(apiId)?.get(name);
    if (known) return known;
    const [api, stage] = [this.state.apis.get(apiId), this.state.stages.get(apiId, name)];
    const configuration = stage && this.state.deployed(apiId, stage);
    if (!api || !configuration) return undefined;
    const compiled = new CompiledStage(api, stage, configuration);
    const stages = this.stages.get(apiId) ?? new Map<string, CompiledStage>();
    stages.set(name, compiled);
    this.stages.set(apiId, stages);
    return compiled;
  }

  /** Discards the compiled stages of a changed API. */
  evict(apiId: string): void {
    this.stages.delete(apiId);
    this.verdicts.clear(`${apiId}/`);
  }

  /** Discards the authorizer results of a stage. */
  resetAuthorizers(apiId: string, stage: string): void {
    this.verdicts.clear(`${apiId}/${stage}/`);
  }

  /** Closes the connections to an API or one of its stages. */
  close(apiId: string, stage?: string): void {
    this.connections.closeAll((one) => one.apiId === apiId && (stage === undefined || one.stage === stage));
  }
}
