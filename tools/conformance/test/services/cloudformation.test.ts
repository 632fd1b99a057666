import { cloudformation } from '../../src/scenarios/cloudformation.ts';
import { describeConformance } from '../support/conformance.ts';

describeConformance(cloudformation);
