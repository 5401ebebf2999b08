/** The forms for email address and password, bundled in one chunk. */
export { EmailSection } from './EmailSection';
export { PasswordSection } from './PasswordSection';
