/** The composer's field, where the focus returns to. */
export const composerId = 'composer';
