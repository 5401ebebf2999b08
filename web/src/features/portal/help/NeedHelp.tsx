import { Link } from 'react-router-dom';
import { Rich } from '../../../ui/Rich';
import { useTexts } from '../language/texts';
import { portalTextLink } from '../PortalFrame';

/** The way from the articles to the form. */
export function NeedHelp() {
  const t = useTexts();
  return (
    <p className="mt-8 text-muted">
      <Rich text={t('help.still')} tags={{ link: formLink }} />
    </p>
  );
}

export const formLink = (text: string) => (
  <Link to="/submit-ticket" className={portalTextLink}>
    {text}
  </Link>
);
