import { createHash } from 'node:crypto';

/**
 * A list in the published form, small and dated, for chains where money is not real. The addresses of XBT and ETH were
 * published by OFAC; the wallets of USDC and SOL have no owner, so that a trial has something to be refused for.
 */
const XML = `<?xml version="1.0" encoding="utf-8"?>
<Sanctions xmlns="http://www.un.org/sanctions/1.0" Version="1">
  <DateOfIssue CalendarTypeID="1"><Year>2026</Year><Month>1</Month><Day>5</Day></DateOfIssue>
  <ReferenceValueSets>
    <FeatureTypeValues>
      <FeatureType ID="8" FeatureTypeGroupID="1">Birthdate</FeatureType>
      <FeatureType ID="344" FeatureTypeGroupID="1">Digital Currency Address - XBT</FeatureType>
      <FeatureType ID="345" FeatureTypeGroupID="1">Digital Currency Address - ETH</FeatureType>
      <FeatureType ID="998" FeatureTypeGroupID="1">Digital Currency Address - USDC</FeatureType>
      <FeatureType ID="1167" FeatureTypeGroupID="1">Digital Currency Address - SOL</FeatureType>
    </FeatureTypeValues>
  </ReferenceValueSets>
  <DistinctParties>
    <DistinctParty FixedRef="1">
      <Profile ID="1" PartySubTypeID="4">
        <Feature ID="1" FeatureTypeID="344">
          <FeatureVersion ID="1" ReliabilityID="1560"><Comment />
            <VersionDetail DetailTypeID="1432">149w62rY42aZBox8fGcmqNsXUzSStKeq8C</VersionDetail>
          </FeatureVersion>
        </Feature>
        <Feature ID="2" FeatureTypeID="345">
          <FeatureVersion ID="2" ReliabilityID="1560"><Comment />
            <VersionDetail DetailTypeID="1432">0x098B716B8Aaf21512996dC57EB0615e2383E2f96</VersionDetail>
          </FeatureVersion>
        </Feature>
        <Feature ID="3" FeatureTypeID="998">
          <FeatureVersion ID="3" ReliabilityID="1560"><Comment />
            <VersionDetail DetailTypeID="1432">HAYrjrL4BDxNcJCxCoAm81ijDXqf17T9ymsiFyYGtxkD</VersionDetail>
          </FeatureVersion>
        </Feature>
        <Feature ID="4" FeatureTypeID="1167">
          <FeatureVersion ID="4" ReliabilityID="1560"><Comment />
            <VersionDetail DetailTypeID="1432">6HyMjBe695LZU9M2mV4Hxpf5n9MtmQ9t7EQGnDNNKEXv</VersionDetail>
          </FeatureVersion>
        </Feature>
      </Profile>
    </DistinctParty>
  </DistinctParties>
</Sanctions>
`;

const bytes = Buffer.from(XML);

export const SAMPLE_LIST = {
  bytes,
  sha256: createHash('sha256').update(bytes).digest('hex'),
  /** Its age is that of its issue. */
  as_of: '2026-01-05T00:00:00.000Z',
} as const;
