import type { Language } from '@tandem/contracts/values';
import emailAr from '../catalogs/email/ar.json';
import emailDe from '../catalogs/email/de.json';
import emailEn from '../catalogs/email/en.json';
import emailEs from '../catalogs/email/es.json';
import emailFr from '../catalogs/email/fr.json';
import emailIt from '../catalogs/email/it.json';
import emailJa from '../catalogs/email/ja.json';
import emailNl from '../catalogs/email/nl.json';
import emailPl from '../catalogs/email/pl.json';
import emailPtBr from '../catalogs/email/pt-BR.json';
import portalAr from '../catalogs/portal/ar.json';
import portalDe from '../catalogs/portal/de.json';
import portalEn from '../catalogs/portal/en.json';
import portalEs from '../catalogs/portal/es.json';
import portalFr from '../catalogs/portal/fr.json';
import portalIt from '../catalogs/portal/it.json';
import portalJa from '../catalogs/portal/ja.json';
import portalNl from '../catalogs/portal/nl.json';
import portalPl from '../catalogs/portal/pl.json';
import portalPtBr from '../catalogs/portal/pt-BR.json';
import surveyAr from '../catalogs/survey/ar.json';
import surveyDe from '../catalogs/survey/de.json';
import surveyEn from '../catalogs/survey/en.json';
import surveyEs from '../catalogs/survey/es.json';
import surveyFr from '../catalogs/survey/fr.json';
import surveyIt from '../catalogs/survey/it.json';
import surveyJa from '../catalogs/survey/ja.json';
import surveyNl from '../catalogs/survey/nl.json';
import surveyPl from '../catalogs/survey/pl.json';
import surveyPtBr from '../catalogs/survey/pt-BR.json';
import widgetAr from '../catalogs/widget/ar.json';
import widgetDe from '../catalogs/widget/de.json';
import widgetEn from '../catalogs/widget/en.json';
import widgetEs from '../catalogs/widget/es.json';
import widgetFr from '../catalogs/widget/fr.json';
import widgetIt from '../catalogs/widget/it.json';
import widgetJa from '../catalogs/widget/ja.json';
import widgetNl from '../catalogs/widget/nl.json';
import widgetPl from '../catalogs/widget/pl.json';
import widgetPtBr from '../catalogs/widget/pt-BR.json';
import type { Catalog, Part } from './parts';

/** All texts of the customer's side, by part and language. Browsers load single files instead. */
export const catalogs: Readonly<Record<Part, Readonly<Record<Language, Catalog>>>> = {
  portal: {
    en: portalEn,
    de: portalDe,
    fr: portalFr,
    es: portalEs,
    'pt-BR': portalPtBr,
    it: portalIt,
    nl: portalNl,
    pl: portalPl,
    ja: portalJa,
    ar: portalAr,
  },
  survey: {
    en: surveyEn,
    de: surveyDe,
    fr: surveyFr,
    es: surveyEs,
    'pt-BR': surveyPtBr,
    it: surveyIt,
    nl: surveyNl,
    pl: surveyPl,
    ja: surveyJa,
    ar: surveyAr,
  },
  widget: {
    en: widgetEn,
    de: widgetDe,
    fr: widgetFr,
    es: widgetEs,
    'pt-BR': widgetPtBr,
    it: widgetIt,
    nl: widgetNl,
    pl: widgetPl,
    ja: widgetJa,
    ar: widgetAr,
  },
  email: {
    en: emailEn,
    de: emailDe,
    fr: emailFr,
    es: emailEs,
    'pt-BR': emailPtBr,
    it: emailIt,
    nl: emailNl,
    pl: emailPl,
    ja: emailJa,
    ar: emailAr,
  },
};
