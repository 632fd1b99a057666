import type { PortalSummary } from '@emu/service-types/apigatewayv2';

/** OpenAPI documentation of an operation. */
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

/** A text page. */
export interface SitePage {
  readonly id: string;
  readonly title: string;
  /** Markdown. */
  readonly body: string;
}

/** A page about a REST API method. */
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
  /** OpenAPI documentation of the method. */
  readonly operation?: OperationDocument | undefined;
}

/** A product in a portal. */
export interface SiteProduct {
  readonly id: string;
  readonly name: string;
  readonly description?: string | undefined;
  readonly overview?: SitePage | undefined;
  readonly pages: readonly SitePage[];
  readonly sections: readonly { readonly name: string; readonly endpoints: readonly SiteEndpoint[] }[];
}

/** User pool for signing in to a portal. */
export interface PortalSignIn {
  readonly poolId: string;
  readonly region: string;
  readonly clientId: string;
}

/** A portal as published. */
export interface PortalSite {
  readonly name: string;
  readonly description?: string | undefined;
  readonly colors: PortalSummary['PortalContent']['Theme']['CustomColors'];
  /** Data URL of the image. */
  readonly logo?: string | undefined;
  readonly products: readonly SiteProduct[];
}
