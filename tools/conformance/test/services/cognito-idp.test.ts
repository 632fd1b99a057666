import { cognitoIdp } from '../../src/scenarios/cognito-idp.ts';
import { describeConformance } from '../support/conformance.ts';

describeConformance(cognitoIdp);
