export { DnsServer } from '@tandem/testing';
