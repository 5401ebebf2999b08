export const privacyAddress = '/settings?tab=privacy';
export const erasureAddress = (id: string): string => `${privacyAddress}&erasure=${id}`;
