/** Who made a device, and which devices are windows that end when nobody uses them. Frozen: what comes later is a migration. */
export const schemaV2 = `
ALTER TABLE "devices" ADD COLUMN "madeBy" TEXT;
ALTER TABLE "devices" ADD COLUMN "window" INTEGER NOT NULL DEFAULT 0;
`;
