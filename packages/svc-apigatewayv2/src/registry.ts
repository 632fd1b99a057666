import type { Clock, Collection, DeepReadonly, Ids, OwnedCollection, ServiceHandle } from '@emu/core/service';
import type {
  ApiRecord,
  Configuration,
  DomainNameRecord,
  EndpointPageRecord,
  PortalProductRecord,
  PortalRecord,
  ProductPageRecord,
  StageRecord,
  VpcLinkRecord,
} from './records.ts';

/** Resources of an account and region among which resources are found. */
export interface ApiRegistry {
  readonly apis: Collection<ApiRecord>;
  readonly stages: OwnedCollection<StageRecord>;
  readonly domainNames: Collection<DomainNameRecord>;
  readonly vpcLinks: Collection<VpcLinkRecord>;
  readonly portals: Collection<PortalRecord>;
  readonly products: Collection<PortalProductRecord>;
  readonly pages: OwnedCollection<ProductPageRecord>;
  readonly endpointPages: OwnedCollection<EndpointPageRecord>;
}

/** Parts of the state required to serve a stage. */
export interface StageSource extends Pick<ApiRegistry, 'apis' | 'stages'> {
  readonly accountId: string;
  readonly region: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly service: ServiceHandle;
  /** Returns the configuration that a stage serves; undefined if nothing is deployed. */
  deployed(apiId: string, stage: DeepReadonly<StageRecord>): Configuration | undefined;
}
