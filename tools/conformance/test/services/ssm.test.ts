import { ssm } from '../../src/scenarios/ssm.ts';
import { describeConformance } from '../support/conformance.ts';

describeConformance(ssm);
