import type { ClientCertificate } from '@emu/apigateway-common';
import type { DeepReadonly } from '@emu/core/service';
import type { ApiRecord } from '../records.ts';
import type { CompiledStage } from '../runtime/compiled-stage.ts';
import type { Apigatewayv2State } from '../state.ts';

/** Where a request goes that is for an API of this service. */
export interface ApiEntrance {
  readonly state: Apigatewayv2State;
  /** Undefined where nothing is served there. */
  readonly stage: CompiledStage | undefined;
  readonly api: DeepReadonly<ApiRecord> | undefined;
  /** Where a domain name leads to; undefined where the request came by another address, or the name leads nowhere. */
  readonly destination?: { readonly apiId: string; readonly stage: string } | undefined;
  readonly fullPath: string;
  readonly path: string;
  readonly domainName: string;
  /** Path of the mapping by which a custom domain name has led here. */
  readonly basePath?: string | undefined;
  /** Id of the routing rule by which it has. */
  readonly ruleId?: string | undefined;
  /** The client's certificate, where a domain name asks for one; null where nobody trusts it. */
  readonly client?: ClientCertificate | null | undefined;
}
