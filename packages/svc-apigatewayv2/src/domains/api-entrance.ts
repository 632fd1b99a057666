import type { ClientCertificate } from '@emu/apigateway-common';
import type { DeepReadonly } from '@emu/core/service';
import type { ApiRecord } from '../records.ts';
import type { CompiledStage } from '../runtime/compiled-stage.ts';
import type { Apigatewayv2State } from '../state.ts';

/** Target of a request for an API of this service. */
export interface ApiEntrance {
  readonly state: Apigatewayv2State;
  /** Undefined if nothing is deployed there. */
  readonly stage: CompiledStage | undefined;
  readonly api: DeepReadonly<ApiRecord> | undefined;
  /** API and stage of a domain name; undefined for other endpoints and for a name without mapping. */
  readonly destination?: { readonly apiId: string; readonly stage: string } | undefined;
  readonly fullPath: string;
  readonly path: string;
  readonly domainName: string;
  /** Path of the custom domain name's mapping. */
  readonly basePath?: string | undefined;
  /** Id of the custom domain name's routing rule. */
  readonly ruleId?: string | undefined;
  /** Client certificate, if the domain name requires one; null if it is untrusted. */
  readonly client?: ClientCertificate | null | undefined;
}
