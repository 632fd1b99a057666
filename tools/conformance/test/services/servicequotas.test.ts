import { servicequotas } from '../../src/scenarios/servicequotas.ts';
import { describeConformance } from '../support/conformance.ts';

describeConformance(servicequotas);
