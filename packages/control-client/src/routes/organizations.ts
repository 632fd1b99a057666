import type {
  OrganizationsAccount,
  OrganizationsResponsibilityTransfer,
  OrganizationsSummary,
} from '../records/organizations.ts';
import { json, type MethodsOf, type RoutesOf } from '../table.ts';

/** Control routes of Organizations. */
export const organizations = {
  /** Lists the member accounts of all organizations, and the organizations. `GET /_emulator/organizations/accounts` */
  accounts: json<{ accounts: OrganizationsAccount[]; organizations: OrganizationsSummary[] }>()(
    'GET /_emulator/organizations/accounts',
  ),

  /**
   * Lists transfers of responsibility by id; none without an organization. `GET
   * /_emulator/organizations/responsibility-transfers`
   */
  responsibilityTransfers: json<{ responsibilityTransfers: OrganizationsResponsibilityTransfer[] }>()(
    'GET /_emulator/organizations/responsibility-transfers',
  ),
};

/** Methods for the control routes of Organizations. */
export interface OrganizationsControl extends MethodsOf<typeof organizations> {}

/** Control routes of Organizations by name. */
export type OrganizationsRoutes = RoutesOf<typeof organizations>;
