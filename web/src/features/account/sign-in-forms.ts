/** The forms for signature, email address and password, bundled in one chunk. */
export { EmailSection } from './EmailSection';
export { PasswordSection } from './PasswordSection';
export { SignatureSection } from './SignatureSection';
