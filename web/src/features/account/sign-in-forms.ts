/** What somebody signs in with: one file for the browser. */
export { EmailSection } from './EmailSection';
export { PasswordSection } from './PasswordSection';
