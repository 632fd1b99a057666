import type { PortalSummary } from '@emu/service-types/apigatewayv2';

/** What the OpenAPI document of an API says of one of its operations. */
export interface OperationDocument {
  readonly summary?: string | undefined;
  readonly description?: string | undefined;
  readonly parameters: readonly {
    readonly name: string;
    readonly place: string;
    readonly required: boolean;
    readonly description: string;
  }[];
  readonly responses: readonly { readonly status: string; readonly description: string }[];
}

/** A page of text. */
export interface SitePage {
  readonly id: string;
  readonly title: string;
  /** Markdown. */
  readonly body: string;
}

/** A page on a method of a REST API. */
export interface SiteEndpoint {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly body?: string | undefined;
  readonly method: string;
  readonly path: string;
  readonly apiId: string;
  readonly stage: string;
  readonly tryIt: boolean;
  /** What the API's documentation says of it. */
  readonly operation?: OperationDocument | undefined;
}

/** A product as a portal shows it. */
export interface SiteProduct {
  readonly id: string;
  readonly name: string;
  readonly description?: string | undefined;
  readonly overview?: SitePage | undefined;
  readonly pages: readonly SitePage[];
  readonly sections: readonly { readonly name: string; readonly endpoints: readonly SiteEndpoint[] }[];
}

/** The user pool whose users a portal is shown to. */
export interface PortalSignIn {
  readonly poolId: string;
  readonly region: string;
  readonly clientId: string;
}

/** A portal as it was when it was published. */
export interface PortalSite {
  readonly name: string;
  readonly description?: string | undefined;
  readonly colors: PortalSummary['PortalContent']['Theme']['CustomColors'];
  /** URL with the image in it. */
  readonly logo?: string | undefined;
  readonly products: readonly SiteProduct[];
}
