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

/** What an account has in a region, as resources are found in it. */
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

/** What running a stage needs of the state. */
export interface StageSource extends Pick<ApiRegistry, 'apis' | 'stages'> {
  readonly accountId: string;
  readonly region: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly service: ServiceHandle;
  /** What a stage serves; undefined where nothing has been deployed to it. */
  deployed(apiId: string, stage: DeepReadonly<StageRecord>): Configuration | undefined;
}
